import Foundation

/// Lets the contenders of a benchmark run round after round, each time in another order.
///
/// So a machine that slows down slows all of them, and what one leaves behind is no other's advantage each time.
struct Race: Sendable {
    let command: Command
    let rounds: Int

    /// A peer that needs more seconds than this runs only once.
    private static let patience = 30.0

    /// Runs all rounds, after one that doesn't count: it brings programs and files into memory.
    ///
    /// - Returns: The samples of each contender, in the order of the contenders.
    /// - Throws: ``Command/Failure`` if a contender or its check fails.
    func run(_ benchmark: Benchmark) throws -> [[Sample]] {
        var samples = benchmark.contenders.map { _ in [Sample]() }
        var isSlow = benchmark.contenders.map { _ in false }
        for round in 0...rounds {
            for index in benchmark.contenders.indices.shuffled() where round == 0 || !isSlow[index] {
                let contender = benchmark.contenders[index]
                let number = round * benchmark.contenders.count + index
                let output = benchmark.fileSystem.map { Benchmark.output(of: benchmark.name, number, on: $0) } ?? ""
                if benchmark.startsCloudsAnew { try benchmark.clouds?.start(command) }
                if let preparation = contender.preparation { _ = try command.run(preparation(output)) }
                // The writes of earlier runs must not slow this one down.
                if benchmark.output != .none { sync() }
                let sample = try countedSample(of: contender, in: benchmark, output: output)
                if round == 0, index > 0 { isSlow[index] = sample.value > Self.patience }
                if round > 0 || isSlow[index] { samples[index].append(sample) }
                if round == rounds || isSlow[index], let check = contender.check { _ = try command.run(check(output)) }
                // Whoever throws all bytes away has written none.
                if benchmark.output == .removed, FileManager.default.fileExists(atPath: output) {
                    try FileManager.default.removeItem(atPath: output)
                }
            }
        }
        return samples
    }

    /// The sample with the requests in it that the emulated services got, if there are any.
    private func countedSample(of contender: Contender, in benchmark: Benchmark, output: String) throws -> Sample {
        guard let clouds = benchmark.clouds else { return try sample(of: contender, in: benchmark, output: output) }
        return try clouds.measure { try sample(of: contender, in: benchmark, output: output) }
    }

    private func sample(of contender: Contender, in benchmark: Benchmark, output: String) throws -> Sample {
        let arguments = contender.command(output)
        if contender.reportsValue {
            let text = try command.output(arguments)
            guard let value = Double(text) else { throw Command.Failure(description: "not a number: \(text)") }
            return Sample(value: value)
        }
        guard benchmark.launches > 1 else { return try command.run(arguments, measuring: benchmark.memory) }
        var seconds = 0.0
        for _ in 0..<benchmark.launches { seconds += try command.run(arguments).value }
        return Sample(value: seconds / Double(benchmark.launches))
    }
}
