import Foundation

/// Lets the contenders of a benchmark run in turn (A B A B …, so that a machine that slows down slows all of them).
struct Race: Sendable {
    let command: Command
    let rounds: Int

    /// Runs all rounds, after one that doesn't count: it brings programs and files into memory.
    ///
    /// - Returns: The samples of each contender, in the order of the contenders.
    /// - Throws: ``Command/Failure`` if a contender or its check fails.
    func run(_ benchmark: Benchmark) throws -> [[Sample]] {
        var samples = benchmark.contenders.map { _ in [Sample]() }
        for round in 0...rounds {
            for (index, contender) in benchmark.contenders.enumerated() {
                if let output = contender.output {
                    try remove(output)
                    // What earlier runs wrote is not on this one's bill.
                    sync()
                }
                let sample = try sample(of: contender, in: benchmark)
                if round > 0 { samples[index].append(sample) }
                if round == rounds, let check = contender.check { _ = try command.run(check) }
                if let output = contender.output { try remove(output) }
            }
        }
        return samples
    }

    private func sample(of contender: Contender, in benchmark: Benchmark) throws -> Sample {
        if contender.reportsValue {
            let text = try command.output(contender.command)
            guard let value = Double(text) else { throw Command.Failure(description: "not a number: \(text)") }
            return Sample(value: value)
        }
        guard benchmark.launches > 1 else { return try command.run(contender.command, measuringMemory: true) }
        var seconds = 0.0
        for _ in 0..<benchmark.launches { seconds += try command.run(contender.command).value }
        return Sample(value: seconds / Double(benchmark.launches))
    }

    private func remove(_ path: String) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
}
