import ArgumentParser

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
