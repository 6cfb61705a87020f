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
