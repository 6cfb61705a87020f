import ArgumentParser
import FerryCrypto
import Foundation

/// Prints in how many seconds of processor time a GiB is hashed on one core, which is also what `openssl speed` counts.
struct HashSpeed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash-speed",
        abstract: "Seconds of processor time for hashing a GiB that arrives in chunks, as files do."
    )

    /// The size of the chunks in which files are read.
    private static let chunkSize = 256 << 10

    @Argument(help: "The name of the hash function, such as dropbox.")
    var algorithm: String

    @Argument(help: "How many bytes are hashed.")
    var count: Int

    func run() throws {
        guard let algorithm = HashAlgorithm(rawValue: algorithm) else {
            throw ValidationError("there is no hash function \(algorithm)")
        }
        let chunk = (0..<Self.chunkSize).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        let rounds = max(1, count / Self.chunkSize)
        var hash = RunningHash(algorithm)
        let start = Self.processorTime
        chunk.withUnsafeBytes { bytes in
            for _ in 0..<rounds { hash.update(bytes) }
        }
        let result = hash.finalize()
        let seconds = Self.processorTime - start
        // The result is used, so that no work can be left out.
        guard !result.isEmpty, seconds > 0 else { throw ValidationError("too few bytes to measure") }
        print(seconds * Double(1 << 30) / Double(rounds * Self.chunkSize))
    }

    /// The processor time of this process so far, in seconds.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
