import ArgumentParser

/// The options of `cp` and `mv`.
struct CopyOptions: ParsableArguments {
    @OptionGroup var overwrite: MergeOption

    @OptionGroup var keepBoth: KeepBothOption

    @OptionGroup var lock: LockTokenOption

    @OptionGroup var comparison: ComparisonOptions

    @OptionGroup var filter: FilterOptions

    @OptionGroup var work: WorkOptions

    @OptionGroup var backup: BackupOption

    func validate() throws {
        try work.requireSense(with: comparison)
        if keepBoth.isWanted, overwrite.isAllowed { throw ValidationError("--keep-both excludes --overwrite") }
    }

    /// Indicates whether a whole tree, or an upload, can be left to its storage.
    var isPlain: Bool { !comparison.isGiven && !filter.isGiven && !work.isGiven && backup.backupDir == nil }
}
