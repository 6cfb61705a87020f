import FerryTestServers
import Foundation
import Testing

/// A process of its own that fills a store.
enum VictimProcess {
    struct Ending: Sendable {
        let wasKilled: Bool
        let code: Int32
        let words: String
    }

    /// Runs one to its end.
    ///
    /// - Parameters:
    ///   - folder: The store's.
    ///   - seed: Says what it does.
    ///   - bytes: The limit on the disk.
    ///   - steps: How many things it does.
    ///   - end: How it dies.
    /// - Returns: How it ended, and what it said.
    /// - Throws: The error that keeps it from being started.
    static func run(
        _ folder: StoreFolder,
        seed: Int,
        bytes: Int64,
        steps: Int,
        end: [String] = []
    ) async throws -> Ending {
        let tests = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        let program = tests.deletingLastPathComponent().appending(path: "FerryCacheVictim").path
        let result = try await TestProgram.run(program, [folder.path, "\(seed)", "\(bytes)", "\(steps)"] + end)
        let words = result.output + result.errors
        switch result.ending {
        case .exited(let code): return Ending(wasKilled: false, code: code, words: words)
        case .signaled(let signal): return Ending(wasKilled: signal == SIGKILL, code: signal, words: words)
        }
    }
}
