import FerryCore

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
