import ArgumentParser

/// A command that `ferry jobs resume` can continue after an interruption: `cp`, `mv` and `sync`.
protocol ResumableCommand: AsyncParsableCommand {
    /// Runs the command.
    ///
    /// - Parameter arguments: All arguments but the command's own name, which the journal and the history note.
    /// - Throws: As `run()`.
    func run(arguments: [String]) async throws
}

extension ResumableCommand {
    func run() async throws { try await run(arguments: RawArguments.ofProcess()) }
}
