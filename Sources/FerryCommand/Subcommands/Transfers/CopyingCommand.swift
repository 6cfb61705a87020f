import ArgumentParser

/// A command that copies: `cp` and `mv`, which have the same options.
///
/// Each holds these groups itself. In one group around them, a debug build of ArgumentParser would check each of them
/// four times as often, which took 0.2 s at each start.
protocol CopyingCommand {
    var overwrite: MergeOption { get }
    var keepBoth: KeepBothOption { get }
    var lock: LockTokenOption { get }
    var comparison: ComparisonOptions { get }
    var filter: FilterOptions { get }
    var work: WorkOptions { get }
    var backup: BackupOption { get }
}

extension CopyingCommand {
    /// The options together.
    var options: CopyOptions {
        CopyOptions(
            overwrite: overwrite,
            keepBoth: keepBoth,
            lock: lock,
            comparison: comparison,
            filter: filter,
            work: work,
            backup: backup
        )
    }
}

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

/// The options of `cp` and `mv`.
struct CopyOptions {
    let overwrite: MergeOption
    let keepBoth: KeepBothOption
    let lock: LockTokenOption
    let comparison: ComparisonOptions
    let filter: FilterOptions
    let work: WorkOptions
    let backup: BackupOption

    /// Throws `ValidationError` if options exclude each other.
    func validate() throws {
        try work.requireSense(with: comparison)
        if keepBoth.isWanted, overwrite.isAllowed { throw ValidationError("--keep-both excludes --overwrite") }
    }

    /// Indicates whether a whole tree can be left to its storage.
    var isPlain: Bool { !comparison.isGiven && !filter.isGiven && !work.isGiven && backup.backupDir == nil }
}
