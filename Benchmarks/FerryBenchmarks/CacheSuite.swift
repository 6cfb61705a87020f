/// The benchmarks of what is kept of storages.
struct CacheSuite: Sendable {
    let programs: Programs
    let scale: Scale

    /// Where large files are, and what is kept of them.
    let place: FileSystem

    /// In the order of the table.
    var benchmarks: [Benchmark] {
        [
            listing("disk", "from disk", unit: .seconds, limit: 0.015),
            listing("memory", "from memory", unit: .seconds, limit: 0.003),
            listing("bytes", "each", unit: .diskBytes, limit: 299),
            firstReading, secondReading, opening, eviction,
        ]
    }

    private func listing(_ aspect: String, _ words: String, unit: Unit, limit: Double) -> Benchmark {
        Benchmark(
            name: "cache-ls-\(aspect)",
            title: "kept listing of \(scale.smallFiles) items, \(words)",
            fileSystem: place,
            contenders: [measurement("ferry", ["cached-listing", aspect], count: scale.smallFiles)],
            unit: unit,
            targets: [.value(atMost: limit)]
        )
    }

    /// 0.85 times the speed without a cache, where reading from a server takes longer than writing: see ``WebSuite``.
    ///
    /// Here all is in memory, and whoever writes it down once needs as long as `cp`.
    private var firstReading: Benchmark {
        let name = "cache-first"
        return reading(
            name,
            "reading \(Unit.mebibytes.text(Double(scale.cachedFileSize))) the first time",
            contenders: [
                contents("ferry", "first", of: name),
                contents("uncached", "uncached", of: name),
                Contender(name: "cp", command: { ["/bin/cp", Benchmark.source(of: name, on: place), $0] }),
            ],
            limit: .contender("cp"),
            target: .ratio(to: "uncached", atMost: 1.18)
        )
    }

    /// 0.8 times the speed of `cat`, or 2 GiB in a second.
    private var secondReading: Benchmark {
        let name = "cache-again"
        return reading(
            name,
            "reading \(Unit.mebibytes.text(Double(scale.cachedFileSize))) again, asked whether it changed",
            contenders: [
                contents("ferry", "again", of: name),
                Contender(name: "cat", command: ["/bin/cat", Benchmark.source(of: name, on: place)]),
            ],
            target: .value(atMost: Double(scale.cachedFileSize) / Double(2 << 30))
        )
    }

    private func reading(
        _ name: String,
        _ title: String,
        contenders: [Contender],
        limit: Limit? = nil,
        target: Target
    ) -> Benchmark {
        Benchmark(
            name: name,
            title: title,
            fileSystem: place,
            files: .file(size: scale.cachedFileSize),
            contenders: contenders,
            limit: limit,
            output: .removed,
            targets: [target]
        )
    }

    private var opening: Benchmark {
        let store = Benchmark.source(of: "cache-open", on: place)
        return Benchmark(
            name: "cache-open",
            title: "opening a store of \(scale.keptEntries) entries for one question",
            fileSystem: place,
            contenders: [
                Contender(
                    name: "ferry",
                    preparation: { _ in [programs.measurements, "fill-store", store, String(scale.keptEntries)] },
                    command: { _ in [programs.measurements, "open-store", store] }
                )
            ],
            targets: [.value(atMost: 0.1), .memory(atMost: 30 * 1_048_576)]
        )
    }

    private var eviction: Benchmark {
        let few = scale.evictedFrom / 20
        return Benchmark(
            name: "cache-evict",
            title: "forgetting 1000 of \(scale.evictedFrom) entries",
            fileSystem: place,
            contenders: [
                measurement("ferry", ["eviction-speed"], count: scale.evictedFrom),
                measurement("of \(few)", ["eviction-speed"], count: few),
            ],
            targets: [.ratio(to: "of \(few)", atMost: 2)]
        )
    }

    // MARK: Contenders

    /// One that makes a store, and removes it.
    private func measurement(_ name: String, _ arguments: [String], count: Int) -> Contender {
        Contender(
            name: name,
            reportsValue: true,
            command: { [programs.measurements] + arguments + [$0, String(count)] }
        )
    }

    private func contents(_ name: String, _ aspect: String, of benchmark: String) -> Contender {
        let file = Benchmark.source(of: benchmark, on: place)
        return Contender(
            name: name,
            reportsValue: true,
            command: { [programs.measurements, "cached-contents", aspect, file, $0] }
        )
    }
}
