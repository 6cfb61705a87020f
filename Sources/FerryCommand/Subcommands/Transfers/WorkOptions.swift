import ArgumentParser
import FerryCore
import FerryTransfer

/// How a transfer goes about its work, and what it tells.
struct WorkOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Files at the same time (default: as the storages like it).", valueName: "count"))
    var transfers: Int?

    @Option(
        help: ArgumentHelp(
            "First the least name, size or date, or with ',descending' the most (default: as they are listed).",
            valueName: "key"
        )
    )
    var orderBy: OrderArgument?

    @Flag(help: "End at the first failure.")
    var failFast = false

    @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and do nothing.")
    var dryRun = false

    @Flag(help: "Remember nothing for a later run that would go on.")
    var noJournal = false

    @Flag(
        help: ArgumentHelp(
            "Send only the blocks of large files that differ, and change them in place (servers with a shell).",
            discussion: "Until that is done a file is a mixture; what breaks off, the next run puts right."
        )
    )
    var inplace = false

    @Option(help: ArgumentHelp("How fast: 512 (KiB a second), 10M, or '08:00,1M 18:00,off'.", valueName: "rate"))
    var bwlimit: RateArgument?

    @Flag(help: "Print what happens as a JSON object a line.")
    var json = false

    func validate() throws {
        if let transfers, transfers < 1 { throw ValidationError("--transfers takes at least 1") }
    }

    /// Refuses options that would lose something together.
    func requireSense(with comparison: ComparisonOptions) throws {
        guard inplace, comparison.update else { return }
        throw ValidationError("give one of --inplace and --update: a file that was changed in part is the newer one")
    }

    /// Indicates whether a whole tree can't be left to its storage.
    var isGiven: Bool { transfers != nil || orderBy != nil || failFast || dryRun || json || inplace || bwlimit != nil }

    /// Puts it into a transfer's options.
    func apply(to options: inout TransferOptions) {
        options.concurrency = transfers
        options.bandwidth = bwlimit?.limit
        options.order = orderBy?.order
        options.endsAtFirstFailure = failFast
        options.updatesInPlace = inplace
    }
}

extension WorkOptions {
    /// Returns what is to be remembered of a transfer; `nil` if nothing is.
    ///
    /// - Parameters:
    ///   - source: The source, as it was named.
    ///   - target: The target, as it was named.
    ///   - session: Opens the journal.
    /// - Returns: The entry, for transfers between different storages, or on this machine, that outlive the process.
    /// - Throws: `CancellationError`.
    func entry(from source: Location, to target: Location, _ session: Session) async throws -> TransferWork.Entry? {
        let isWithinStorage = source.isOnSameStorage(as: target) && !target.isLocal
        guard !noJournal, !dryRun, !isWithinStorage, source.isLocal || source.isRemote,
            target.isLocal || target.isRemote, let jobs = try await Jobs.open(session)
        else { return nil }
        let memo = JobMemo(arguments: session.arguments, source: source.text, target: target.text)
        return TransferWork.Entry(jobs: jobs, memo: memo)
    }
}
