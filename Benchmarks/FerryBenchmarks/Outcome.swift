/// The results of a benchmark: a row of the table for each target.
struct Outcome: Sendable {
    let benchmark: Benchmark
    let samples: [[Sample]]

    /// The rows, each with the peer that its target names beside us.
    var rows: [Table.Row] {
        benchmark.targets.map(row)
    }

    private func row(_ target: Target) -> Table.Row {
        switch target {
        case .value(let limit):
            row(
                measured: benchmark.unit.name,
                ours: values(0),
                peer: 1,
                theirs: values(1),
                unit: benchmark.unit,
                target: "≤ \(benchmark.unit.text(limit))"
            ) { $0.median <= limit }
        case .ratio(let name, let limit):
            ratioRow(measured: benchmark.unit.name, unit: benchmark.unit, to: name, limit: limit, of: values)
        case .processorRatio(let name, let limit):
            ratioRow(measured: "processor time", unit: .seconds, to: name, limit: limit, of: processorTime)
        case .memoryRatio(let name, let limit):
            ratioRow(measured: "peak memory", unit: .mebibytes, to: name, limit: limit, of: memory)
        case .requestRatio(let name, let limit):
            ratioRow(measured: Unit.requests.name, unit: .requests, to: name, limit: limit, of: requests)
        case .requests(let name):
            ratioRow(measured: Unit.requests.name, unit: .requests, to: name, limit: nil, of: requests)
        case .bodyBytes(let name):
            ratioRow(measured: "bytes of bodies", unit: .lineBytes, to: name, limit: nil, of: bodyBytes)
        case .memory(let limit):
            row(
                measured: "peak memory",
                ours: memory(0),
                peer: 1,
                theirs: memory(1),
                unit: .mebibytes,
                target: "≤ \(Unit.mebibytes.text(limit))"
            ) { $0.maximum <= limit }
        }
    }

    private func ratioRow(
        measured: String,
        unit: Unit,
        to name: String,
        limit: Double?,
        of values: (Int) -> Statistics?
    ) -> Table.Row {
        let peer = benchmark.contenders.firstIndex { $0.name == name } ?? benchmark.contenders.count
        let theirs = values(peer)
        return row(
            measured: measured,
            ours: values(0),
            peer: peer,
            theirs: theirs,
            unit: unit,
            target: limit.map { "≤ \($0) × \(name)" }
        ) { ours in
            guard let limit, let theirs else { return nil }
            return ours.median <= limit * theirs.median
        }
    }

    private func row(
        measured: String,
        ours: Statistics?,
        peer: Int,
        theirs: Statistics?,
        unit: Unit,
        target: String?,
        holds: (Statistics) -> Bool?
    ) -> Table.Row {
        let ratio: Double? = if let ours, let theirs { ours.median / theirs.median } else { nil }
        return Table.Row(
            what: benchmark.title,
            fileSystem: benchmark.fileSystem?.type,
            measured: measured,
            ours: ours.map(unit.text),
            peer: theirs.map { "\(benchmark.contenders[peer].name): \(unit.text($0))" },
            ratio: ratio,
            limit: measured == Unit.seconds.name ? limit : nil,
            target: target,
            isMet: ours.flatMap(holds)
        )
    }

    /// The limit that nobody can be faster than.
    private var limit: String? {
        switch benchmark.limit {
        case nil: return nil
        case .seconds(let seconds, let words): return "\(words): \(Unit.seconds.text(seconds))"
        case .contender(let name):
            guard let index = benchmark.contenders.firstIndex(where: { $0.name == name }), let values = values(index)
            else { return nil }
            return "\(name): \(Unit.seconds.text(values.median))"
        }
    }

    private func values(_ contender: Int) -> Statistics? {
        guard samples.indices.contains(contender) else { return nil }
        return Statistics(samples[contender].map(\.value))
    }

    private func processorTime(_ contender: Int) -> Statistics? {
        guard samples.indices.contains(contender) else { return nil }
        return Statistics(samples[contender].compactMap(\.processorTime))
    }

    private func memory(_ contender: Int) -> Statistics? {
        guard samples.indices.contains(contender) else { return nil }
        return Statistics(samples[contender].compactMap(\.peakMemory).map(Double.init))
    }

    private func requests(_ contender: Int) -> Statistics? {
        guard samples.indices.contains(contender) else { return nil }
        return Statistics(samples[contender].compactMap(\.requests).map(Double.init))
    }

    private func bodyBytes(_ contender: Int) -> Statistics? {
        guard samples.indices.contains(contender) else { return nil }
        return Statistics(samples[contender].compactMap(\.bodyBytes).map(Double.init))
    }
}
