import FerryCore
import FerryTransfer
import Foundation

/// Brings what is at one place to another, shows how far it is meanwhile, and tells what came of it.
struct TransferWork {
    let session: Session

    /// Where the originals are.
    let source: Location

    /// Where the copies go.
    let target: Location

    /// The options of the transfer.
    var options: TransferOptions

    /// Indicates whether only the plan is wanted.
    var isDryRun = false

    /// Indicates whether a program reads what happens.
    var isForPrograms = false

    /// Indicates whether a person is told how much was done.
    var tellsSummary = false

    /// Indicates whether a person is told what was lost of the items.
    var tellsLosses = true

    /// Where a plan is written to, or comes from.
    var plans: PlanOptions?

    /// The source as it was seen a moment ago; `nil` to look again.
    var seenSource: FileObject?

    /// Where the transfer is remembered, and as what; `nil` if it is not.
    var entry: Entry?

    /// The rest of the work, done before the transfer is forgotten; it is passed the date on which the first run began.
    var conclusion: (@Sendable (Date) async throws -> Void)?

    /// The journal of transfers, and the memo that one is remembered with.
    struct Entry {
        let jobs: Jobs
        let memo: JobMemo
    }

    /// Does it.
    ///
    /// - Returns: The report of what was done, or would be; failures were reported.
    /// - Throws: The error that ends everything.
    func run() async throws -> TransferReport {
        let board = TransferBoard()
        let events =
            isForPrograms ? TransferEventLines(descriptor: STDOUT_FILENO) { board.progress.cancel() } : nil
        let clock = ContinuousClock()
        let start = clock.now
        let report: TransferReport
        do {
            let transfer = try await prepared()
            let display = TransferDisplay(title: source.text, board: board, console: session.console, events: events)
            try session.output.flush()
            let plan = try await plans?.read(session, from: source, to: target)
            if isPlan {
                report = try await look(transfer, at: plan, display, events)
            } else {
                do {
                    report = try await display.during {
                        try await transfer.run(
                            plan,
                            journal: entry?.jobs.journal,
                            memo: entry?.memo.text(),
                            reporting: board.progress,
                            control: events?.control ?? TransferControl(),
                            events: { [words] event in
                                board.note(event)
                                events?.tell(event, words: words)
                            }
                        )
                    }
                } catch let error where Session.isEnd(error) {
                    try await tellHowToGoOn()
                    throw error
                }
            }
        } catch {
            try await events?.finish()
            throw error
        }
        if let failure = report.journalFailure {
            let words = ErrorLine(failure).words
            session.console.tell("ferry: note: an interruption would not have been remembered (\(words))")
        }
        events?.summary(report, isDryRun: isPlan, duration: start.duration(to: clock.now), words: words)
        try await events?.finish()
        try tell(report)
        for location in [source, target] { await session.storages.keepLearnt(at: location) }
        return report
    }

    /// Indicates whether nothing is to be done.
    private var isPlan: Bool { isDryRun || plans?.kept != nil }

    /// Holds both places, and makes the transfer between them; nothing is copied yet.
    private func prepared() async throws -> FerryTransfer.Transfer {
        for place in [source, target] { try await session.hold(place) }
        if let folder = options.backupFolder { try await session.hold(target.replacing(path: folder)) }
        var origin = TransferPlace(source.storage, try await source.path(beside: target))
        if let seenSource, seenSource.isDirectory, seenSource.path == origin.top { origin.seenTop = seenSource }
        var transfer = try FerryTransfer.Transfer(
            from: origin,
            to: TransferPlace(target.storage, try await target.storage.pathFromRoot(target.path)),
            options: options
        )
        transfer.conclusion = conclusion
        return transfer
    }

    /// Says what would be done.
    private func look(
        _ transfer: FerryTransfer.Transfer,
        at kept: TransferPlan?,
        _ display: TransferDisplay,
        _ events: TransferEventLines?
    ) async throws -> TransferReport {
        var plan = kept ?? TransferPlan()
        if kept == nil {
            let journal = try await Jobs.open(session)?.journal
            plan = try await display.during {
                try await transfer.plan(journal: journal, reporting: display.board.progress)
            }
            try await plans?.write(plan, session, from: source, to: target)
        }
        if let events {
            for action in plan.actions where action.kind != .skip || action.isKeptExtra {
                try await events.control.pass()
                events.write(action, "planned")
            }
        } else if isDryRun {
            try show(plan)
        }
        return TransferReport(planned: plan, of: transfer)
    }

    /// Says how a transfer that is remembered goes on after an interruption.
    private func tellHowToGoOn() async throws {
        guard let entry, let job = try await uncancelled({ try await entry.jobs.unfinished(entry.memo) })
        else { return }
        session.console.tell(
            "ferry: interrupted; the same command goes on where it was, or 'ferry jobs resume \(job.id)'"
        )
    }

    /// The function that turns an error into a message for people.
    private var words: @Sendable (any Error, TransferAction) -> String {
        { [source, target, isOverwriting = session.isOverwriting] error, action in
            let places = [source, target]
            return ErrorLine(error, about: places, item: action.path, isOverwriting: isOverwriting).words
        }
    }

    // MARK: Telling

    private func show(_ plan: TransferPlan) throws {
        for action in plan.actions
        where (action.kind != .skip && action.kind != .refuse) || action.isKeptExtra {
            session.output.write(name: TerminalText.oneLine(TransferWords.line(action, top: target.text)))
            try session.output.endLine()
        }
        try session.output.show()
    }

    private func tell(_ report: TransferReport) throws {
        if tellsSummary, !isForPrograms {
            session.output.write(TransferWords.summary(report, isPlan: isPlan))
            try session.output.endLine()
        }
        // The summary of what was done comes before the failures.
        try session.output.flush()
        for failure in report.failures { session.report(failure.error, [source, target], item: failure.action.path) }
        if report.comparedBySize > 0 {
            let words = TransferWords.sizeOnly("--checksum or --ignore-times")
            session.console.tell("ferry: \(target.text): note: \(words)")
        }
        if !tellsLosses { return }
        for (loss, count) in report.losses.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            session.console.tell("ferry: \(target.text): note: \(TransferWords.loss(loss, count))")
        }
    }
}

extension TransferAction {
    /// Indicates whether something that only the target has stays, since more would be removed than may be.
    fileprivate var isKeptExtra: Bool { kind == .skip && (reason == .tooMany || reason == .incomplete) }
}

extension TransferReport {
    /// Makes the report that a plan would lead to.
    fileprivate init(planned plan: TransferPlan, of transfer: FerryTransfer.Transfer) {
        self.init()
        for action in plan.actions { counts[action.kind, default: 0] += 1 }
        bytes = plan.bytes
        failures = plan.refusals(of: transfer)
        comparedBySize = plan.comparedBySize
    }
}
