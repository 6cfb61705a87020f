import FerryCore
import Foundation
import Synchronization

/// Takes groups of the history back, or does them again.
struct HistoryUndoing {
    let session: Session
    let keeper: HistoryKeeper
    let isDryRun: Bool

    init(_ session: Session, isDryRun: Bool) {
        self.session = session
        self.isDryRun = isDryRun
        keeper = HistoryKeeper(session)
    }

    /// Takes groups back.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - isRedo: Whether what was undone is done again.
    /// - Throws: What ends it: what was changed meanwhile.
    func run(_ count: Int, isRedo: Bool) async throws {
        let history = try await keeper.read(latest: max(200, count))
        let all = isRedo ? history.redoable : history.undoable
        for group in all where group.isRunning {
            session.console.tell("ferry: note: '\(HistoryWords.command(group))' is still at work, and is left out")
        }
        let groups = all.filter { !$0.isRunning }.prefix(count)
        guard !groups.isEmpty else {
            throw CocoaError.location(
                "history",
                "there is nothing to \(isRedo ? "redo" : "undo")",
                "see 'ferry history'"
            )
        }
        for group in groups { try await run(group, isRedo: isRedo) }
    }

    private func run(_ group: History.Group, isRedo: Bool) async throws {
        var works: [UndoPerformer.Work] = []
        var prefixes: [UUID: String] = [:]
        for entry in group.entries {
            var kept = entry.entry
            let lost = kept.steps.filter { !$0.isReversible }
            for step in lost {
                let name = entry.prefix + step.path.string
                session.console.tell("ferry: note: \(TerminalText.oneLine(name)): nothing was kept of it")
            }
            kept.steps.removeAll { !$0.isReversible }
            if kept.steps.isEmpty { continue }
            prefixes[kept.id] = entry.prefix
            let (storage, location) = try await keeper.storage(entry.prefix)
            if !isDryRun { await session.changes(location) }
            works.append(UndoPerformer.Work(kept, on: storage))
        }
        let performer = UndoPerformer()
        if isDryRun {
            let settled = try await naming(group) { try await performer.check(works) }
            return try show(settled, prefixes)
        }
        let journal = Journal(file: keeper.file, group: group, isRedo: isRedo, prefixes: prefixes)
        let outcome = try await naming(group) {
            try await performer.undo(works) { try await journal.note($0) }
        }
        try await journal.end(outcome)
        await HistoryLeftovers(group.entries).remove(keeper)
        if let failure = outcome.failure { try await naming(group) { throw failure } }
        try tell(group, isRedo: isRedo)
    }

    private func naming<Result>(_ group: History.Group, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let refusal as UndoRefusal {
            throw CocoaError.location(
                refusal.path.string,
                refusal.failureReason ?? "",
                refusal.recoverySuggestion.map { $0 + ", or forget it with 'ferry history clear'" } ?? ""
            )
        }
    }

    private func show(
        _ works: [UndoPerformer.Work],
        _ prefixes: [UUID: String]
    ) throws {
        for work in works.reversed() {
            for step in work.entry.steps.reversed() {
                let line = HistoryWords.inverse(of: step, prefix: prefixes[work.entry.id] ?? "")
                session.output.write(name: TerminalText.oneLine(line))
                try session.output.endLine()
            }
        }
    }

    private func tell(_ group: History.Group, isRedo: Bool) throws {
        let word = isRedo ? "redone" : "undone"
        session.output.write(name: TerminalText.oneLine("\(word): \(HistoryWords.command(group))"))
        try session.output.endLine()
    }

    /// Writes down what undoing does, as it does it: killed at any moment, the rest can still be undone.
    private final class Journal: Sendable {
        private let file: HistoryFile
        private let group: UUID
        private let own = UUID()
        private let prefixes: [UUID: String]
        private let header: HistoryHeader
        private let hasBegun = Mutex(false)
        private let kept = Mutex<[String: Int64]>([:])

        init(file: HistoryFile, group: History.Group, isRedo: Bool, prefixes: [UUID: String]) {
            self.file = file
            self.group = group.id
            self.prefixes = prefixes
            header = HistoryHeader(
                kind: isRedo ? .redo(of: group.id) : .undo(of: group.id),
                date: Date(),
                // What it is called is what it takes back, or does again.
                arguments: group.header.arguments,
                folder: group.header.folder,
                process: .current
            )
        }

        func note(_ note: UndoPerformer.Note) async throws {
            switch note {
            case .begins(var entry):
                // Until it is done, nobody knows how far it went.
                entry.isComplete = false
                try await write(.entry(group, HistoryEntry(prefix: prefix(entry), entry: entry)))
            case .turned: break
            case .ended(let entry, let turned):
                count(turned, prefix(entry))
                try await write(
                    [.turned(group, entry: entry.id, left: 0)] + beginning
                        + [.entry(own, HistoryEntry(prefix: prefix(entry), entry: turned))]
                )
            }
        }

        private func prefix(_ entry: UndoEntry) -> String { prefixes[entry.id] ?? "" }

        /// The first line of what undoing does, once.
        private var beginning: [HistoryLine] {
            let isFirst = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            return isFirst ? [.begun(own, header)] : []
        }

        private func write(_ lines: HistoryLine...) async throws { try await write(lines) }

        private func write(_ lines: [HistoryLine]) async throws {
            try await BlockingWork.run { [file] in try file.append(lines) }
        }

        func end(_ outcome: UndoPerformer.Outcome) async throws {
            if outcome.failure != nil, let failed = outcome.left.last {
                let prefix = prefix(failed.entry)
                try await write(.entry(group, HistoryEntry(prefix: prefix, entry: failed.entry)))
                if let turned = outcome.done.last, turned.entry.operation == failed.entry.operation {
                    count(turned.entry, prefix)
                    try await write(beginning + [.entry(own, HistoryEntry(prefix: prefix, entry: turned.entry))])
                }
            }
            if !outcome.renewals.isEmpty { try await write(.renewed(group, outcome.renewals)) }
            if !outcome.done.isEmpty { try await write(.ended(own, kept: kept.withLock { $0 })) }
            if outcome.failure != nil { return }
            // What was kept for it has come back.
            for prefix in Set(prefixes.values) where !prefix.isEmpty {
                try await write(.dropped(group, prefix: prefix))
            }
            try await write(.ended(group, kept: [:]))
        }

        /// Notes what is kept for what undoing did.
        private func count(_ turned: UndoEntry, _ prefix: String) {
            guard turned.steps.contains(where: { $0.kept?.isOurs == true }) else { return }
            kept.withLock { $0[prefix, default: 0] += turned.steps.reduce(0) { $0 + $1.keptBytes } }
        }
    }
}
