public import FerryCore
public import Foundation

/// Brings what is in one folder to another, on any two storages: what the target lacks or has otherwise, and no more.
///
/// ```swift
/// var options = TransferOptions()
/// options.mode = .sync
/// let transfer = try Transfer(from: TransferPlace(disk, "/photos"), to: TransferPlace(cloud, "/backup"), options: options)
/// let plan = try await transfer.plan()        // what would be done
/// let report = try await transfer.run()       // does it
/// ```
///
/// Listing runs ahead of copying, several folders and files at a time; memory grows with the folders and with what is to
/// be removed, not with the files. An item that fails is in the report, and the others go on.
/// A ``TransferOptions/Mode/sync`` removes only after both sides were listed completely, and never more than
/// ``TransferOptions/largestRemoval`` allows.
public struct Transfer: Sendable {
    /// The place of the originals.
    public let source: TransferPlace

    /// The place that the copies go to.
    public let target: TransferPlace

    /// The options that say how to treat the items that are found.
    public internal(set) var options: TransferOptions

    /// The rules by which what fails is tried again.
    public let retryPolicy: RetryPolicy

    let clock: any Clock<Duration>

    /// Additional work that belongs to the transfer; gets the time when the job's first run began.
    ///
    /// It is done when everything was copied, and before the job is forgotten: so a later run does it if this one can't, unless
    /// it throws a ``LostCopyError``.
    package var conclusion: (@Sendable (Date) async throws -> Void)?

    /// Prepares a transfer; nothing is asked or changed.
    ///
    /// - Parameters:
    ///   - source: Where the originals are.
    ///   - target: Where the copies go; the folder itself is made if it is missing, not those above it.
    ///   - options: The options that say how to treat the items that are found.
    ///   - retryPolicy: How often and when what fails is tried again.
    ///   - clock: The clock to wait on.
    /// - Throws: `CocoaError` if one folder is in the other, or the backup folder in either; `.featureUnsupported` if both
    ///   are on one storage and one begins with an identifier: where that is, nobody knows.
    public init(
        from source: TransferPlace,
        to target: TransferPlace,
        options: TransferOptions = TransferOptions(),
        retryPolicy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        switch source.relation(to: target) {
        case .same: throw CocoaError.sameItem(source.top)
        case .overlapping: throw CocoaError.intoItself(source.top, target: target.top)
        case .unknown: throw CocoaError.unsupported("a transfer by identifier inside one storage", path: target.top)
        case .apart: break
        }
        if let folder = options.backupFolder {
            let backup = TransferPlace(target.storage, folder)
            for place in [source, target] {
                switch backup.relation(to: place) {
                case .same, .overlapping: throw CocoaError.intoItself(place.top, target: folder)
                case .unknown: throw CocoaError.unsupported("a backup folder beside an identifier", path: folder)
                case .apart: continue
                }
            }
        }
        self.source = source
        self.target = target
        self.options = options
        self.retryPolicy = retryPolicy
        self.clock = clock
    }

    /// Returns what the transfer would do.
    ///
    /// - Parameters:
    ///   - journal: Remembers what earlier transfers have written, where listings tell too little; `nil` for none.
    ///   - progress: Cancelling it stops the listing.
    /// - Returns: The plan, which names every single item. Where a folder could not be listed, it says so, and removes
    ///   nothing.
    /// - Throws: When the source's folder itself can't be listed; `CancellationError`.
    public func plan(
        journal: TransferJournal? = nil,
        reporting progress: Progress? = nil
    ) async throws -> TransferPlan {
        try await withCancellation(by: progress) {
            try await learn()
            return try await makePlan(uploads(in: journal))
        }
    }

    private func makePlan(_ uploads: UploadMemory?) async throws -> TransferPlan {
        let ledger = TransferLedger(progress: nil, events: nil)
        return try await TransferRun(self, isExecuting: false, ledger: ledger, uploads: uploads).go()
    }

    /// The memory of files that were written, where listings tell too little, or the target changes contents by itself.
    private func uploads(in journal: TransferJournal?) -> UploadMemory? {
        let (source, target) = (source.storage.capabilities, self.target.storage.capabilities)
        let tellsBySizeOnly = FileComparison(options.comparison, from: source, to: target).tellsBySizeOnly
        guard let journal, tellsBySizeOnly || target.rewritesContents else { return nil }
        return UploadMemory(journal, target: self.target, notesAll: tellsBySizeOnly)
    }

    /// Asks what must be known before anything is decided: which names and dates a storage takes, and what it hides.
    private func learn() async throws {
        async let isLearnt: Void = target.learn()
        try await source.learn()
        try await isLearnt
    }

    /// Finds out whether what is left empty can be removed, where a folder that looks empty may not be so.
    private func learnAboutFolders() async throws {
        switch options.mode {
        case .copy: return
        case .move: try await source.learnAboutDotNames()
        case .sync where options.filter.isEmpty && !options.tracksRenames: return
        case .sync: try await target.learnAboutDotNames()
        }
    }

    /// Does it, or what a plan says that was made before.
    ///
    /// With a journal it goes on where an earlier run between the same two places was interrupted: what was copied is
    /// known by comparing, and of large files what the target has need not be sent again. A job that ends well is
    /// forgotten. Of a plan, items that have changed since on either side are left, and reported.
    ///
    /// - Parameters:
    ///   - plan: A plan of a transfer between the same two folders, or a part of one; `nil` to list both sides now.
    ///   - journal: Remembers what is under way; `nil` to begin each file anew.
    ///   - memo: A text to note with the job, so that the same transfer can be begun again; never a secret.
    ///   - progress: Bytes; the total is known when all was listed. Cancelling it ends the transfer, pausing it pauses it.
    ///   - control: Pauses the transfer, and lets it go on.
    ///   - events: Called with each event, from any task, one at a time. It should return at once, since connections
    ///     stand still meanwhile; whoever can't take more pauses the control.
    /// - Returns: The report of what was done, and what could not be.
    /// - Throws: When the source's folder itself can't be listed; `CancellationError`; the first failure if the options
    ///   say so.
    public func run(
        _ plan: TransferPlan? = nil,
        journal: TransferJournal? = nil,
        memo: String? = nil,
        reporting progress: Progress? = nil,
        control: TransferControl = TransferControl(),
        events: (@Sendable (TransferEvent) -> Void)? = nil
    ) async throws -> TransferReport {
        let ledger = TransferLedger(progress: progress, events: events)
        let start = Date()
        let following = control.follow(progress)
        defer { control.unfollow(following) }
        return try await withCancellation(by: progress) {
            try await learn()
            try await learnAboutFolders()
            let uploads = uploads(in: journal)
            let failure = JournalFailure()
            let job = try await beginJob(in: journal, memo: memo, failure)
            do {
                // An earlier run of this job may have been killed while it wrote; nobody else is at it now.
                try await removeBeginnings(of: job)
                let owner =
                    if let job { TemporaryOwner(work: job.id) } else { OperationContext.current.temporaryOwner }
                var report = try await OperationContext.with(\.temporaryOwner, owner) {
                    // Which files were only renamed shows when all was listed.
                    let fresh = plan == nil && options.tracksRenames ? try await makePlan(uploads) : nil
                    let run = TransferRun(
                        self,
                        isExecuting: true,
                        ledger: ledger,
                        control: control,
                        journal: job,
                        uploads: uploads,
                        planAge: plan != nil ? .old : fresh != nil ? .fresh : nil
                    )
                    if let plan = plan ?? fresh { try await run.go(through: plan) } else { _ = try await run.go() }
                    await uploads?.flush()
                    ledger.finish()
                    return try await concluding(ledger.report, job, start)
                }
                await endJob(job, with: report)
                report.journalFailure = failure.recorded
                return report
            } catch {
                // After a conclusion that failed there is nothing more to write.
                await uploads?.flush()
                await endJob(job, after: error)
                throw error
            }
        }
    }

    private func concluding(_ report: TransferReport, _ job: JobJournal?, _ start: Date) async throws -> TransferReport
    {
        guard let conclusion, report.isComplete else { return report }
        try Task.checkCancellation()
        var report = report
        do {
            try await conclusion(job?.begun ?? start)
        } catch let error as CancellationError {
            throw error
        } catch {
            job?.isLost = error is LostCopyError
            let reason = (error as? LostCopyError)?.reason ?? error
            report.failures.append(.init(action: TransferAction(.removeSource, .root, .same), error: reason))
        }
        return report
    }

    /// Compares both sides, and changes nothing.
    ///
    /// Sizes, dates and checksums are compared as listings tell them, and where ``TransferOptions/readsContents`` says so,
    /// contents; checksums that only one storage tells are computed for files that are on this machine.
    ///
    /// - Parameters:
    ///   - journal: Remembers what earlier transfers have written, where listings tell too little; `nil` for none.
    ///   - progress: Files that were compared. Cancelling it ends the comparing, pausing it pauses it.
    ///   - control: Pauses the comparing, and lets it go on.
    /// - Returns: The items that are the same, and those that aren't.
    /// - Throws: When the source's or the target's folder itself can't be listed; `CancellationError`.
    public func check(
        journal: TransferJournal? = nil,
        reporting progress: Progress? = nil,
        control: TransferControl = TransferControl()
    ) async throws -> TransferCheck {
        let following = control.follow(progress)
        defer { control.unfollow(following) }
        return try await withCancellation(by: progress) {
            try await learn()
            return try await CheckRun(self, uploads(in: journal), control: control, progress: progress).go()
        }
    }
}

/// The copy is not to be relied on: no later run may go on with it.
package struct LostCopyError: Error {
    /// The reason, for people.
    package let reason: any Error

    package init(reason: any Error) { self.reason = reason }
}
