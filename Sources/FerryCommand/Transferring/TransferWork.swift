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
        let report = try await runOnce()
        for location in [source, target] { await session.storages.keepLearnt(at: location) }
        return report
    }

    private func runOnce() async throws -> TransferReport {
        let board = TransferBoard()
        guard isForPrograms else {
            let report = try await run(board, nil)
            try tell(report)
            return report
        }
        let events = TransferEventLines(descriptor: STDOUT_FILENO) { board.progress.cancel() }
        let clock = ContinuousClock()
        let start = clock.now
        let report: TransferReport
        do {
            report = try await run(board, events)
        } catch {
            try await events.finish()
            throw error
        }
        events.summary(report, isDryRun: isPlan, duration: start.duration(to: clock.now), words: words)
        try await events.finish()
        try tell(report)
        return report
    }

    /// Indicates whether nothing is to be done.
    private var isPlan: Bool { isDryRun || plans?.kept != nil }

    private func run(_ board: TransferBoard, _ events: TransferEventLines?) async throws -> TransferReport {
        for place in [source, target] { try await session.hold(place) }
        if let folder = options.backupFolder { try await session.hold(target.replacing(path: folder)) }
        var transfer = try FerryTransfer.Transfer(
            from: TransferPlace(source.storage, source.path),
            to: TransferPlace(target.storage, target.path),
            options: options
        )
        transfer.conclusion = conclusion
        let display = TransferDisplay(title: source.text, board: board, console: session.console, events: events)
        try session.output.flush()
        let plan = try await plans?.read(session, from: source, to: target)
        if isPlan { return try await look(transfer, at: plan, display, events) }
        let control = events?.control ?? TransferControl()
        let tell: @Sendable (TransferEvent) -> Void = { [words] event in
            board.note(event)
            events?.tell(event, words: words)
        }
        return try await remembering { journal, memo in
            try await display.during {
                if let plan {
                    return try await transfer.run(
                        plan,
                        journal: journal,
                        memo: memo,
                        reporting: board.progress,
                        control: control,
                        events: tell
                    )
                }
                return try await transfer.run(
                    journal: journal,
                    memo: memo,
                    reporting: board.progress,
                    control: control,
                    events: tell
                )
            }
        }
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

    /// Runs it as a job of the journal, if it is one; if it is interrupted, says how it goes on.
    private func remembering(
        _ body: (TransferJournal?, String?) async throws -> TransferReport
    ) async throws -> TransferReport {
        guard let entry else { return try await body(nil, nil) }
        do {
            let report = try await body(entry.jobs.journal, try entry.memo.text())
            if let failure = report.journalFailure {
                let words = ErrorLine(failure).text.dropFirst("ferry: ".count)
                session.console.tell("ferry: note: an interruption would not have been remembered (\(words))")
            }
            return report
        } catch let error where Session.isEnd(error) {
            let job = try await uncancelled { try await entry.jobs.unfinished(entry.memo) }
            if let job {
                session.console.tell(
                    "ferry: interrupted; the same command goes on where it was, or 'ferry jobs resume \(job.id)'"
                )
            }
            throw error
        }
    }

    /// The function that turns an error into a message for people.
    private var words: @Sendable (any Error, TransferAction) -> String {
        { [source, target, isOverwriting = session.isOverwriting] error, action in
            let places = [source, target]
            let line = ErrorLine(error, about: places, item: action.path, isOverwriting: isOverwriting).text
            return line.hasPrefix("ferry: ") ? String(line.dropFirst("ferry: ".count)) : line
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
