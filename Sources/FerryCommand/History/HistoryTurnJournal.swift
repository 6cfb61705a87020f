import FerryCore
import FerryUndo
import Foundation
import Synchronization

/// Writes down what undoing or redoing a command does, before and after each step: killed at any moment, it is known what
/// was done, and the rest can still be done.
final class HistoryTurnJournal: Sendable {
    private let file: HistoryFile
    private let own: UUID
    private let header: HistoryHeader
    /// Indicates whether another process began it, and was killed.
    private let goesOn: Bool
    /// The groups that entries are of, and how these were written down before.
    private let groups: [UUID: UUID]
    private let originals: [UUID: HistoryEntry]
    private let state: Mutex<State>

    private struct State {
        /// Lines about the last step, which are written together with the first about the next one: until then the line
        /// that was written before it says enough.
        var waiting: [HistoryLine] = []
        var hasBegun = false
        /// The ids of entries that take others back, by the ids of those.
        var turned: [UUID: UUID] = [:]
        var kept: [String: Int64]
    }

    /// Begins; nothing is written yet.
    ///
    /// - Parameters:
    ///   - file: The history.
    ///   - command: The command that is undone or redone.
    ///   - works: The groups of it that are taken back.
    ///   - isRedo: `true` if it is redone.
    init(file: HistoryFile, command: History.Command, works: [History.Group], isRedo: Bool) {
        self.file = file
        let unfinished = command.unfinished(isRedo: isRedo)
        own = unfinished?.id ?? UUID()
        goesOn = unfinished != nil
        state = Mutex(State(kept: unfinished?.keeps ?? [:]))
        let entries = works.flatMap { group in group.entries.map { (group.id, $0) } }
        groups = Dictionary(entries.map { ($0.1.entry.id, $0.0) }) { first, _ in first }
        originals = Dictionary(entries.map { ($0.1.entry.id, $0.1) }) { first, _ in first }
        header = HistoryHeader(
            // The latest is the unfinished one itself, which must not become its own redoing.
            kind: unfinished?.header.kind ?? (isRedo ? .redo(of: command.latest.id) : .undo(of: command.given.id)),
            date: Date(),
            // An undoing or redoing has the name of the command that it undoes or redoes.
            arguments: command.given.header.arguments,
            folder: command.given.header.folder,
            process: .current,
            session: command.given.header.session
        )
    }

    /// Takes note of what happens.
    ///
    /// - Parameter note: The event.
    /// - Throws: The error that keeps it from being written down; then nothing more is taken back.
    func note(_ note: UndoPerformer.Note) async throws {
        switch note {
        case .begins(let entry): try await begins(entry)
        case .turning(let entry, let name):
            let lines = state.withLock { state in
                defer { (state.waiting, state.hasBegun) = ([], true) }
                return state.waiting + (state.hasBegun ? [] : [.begun(own, header)])
            }
            try await write(lines + [.turning(group(of: entry), entry: entry.id, name: name)])
        case .turned(let entry, into: _, let did, let renewals):
            let prefix = originals[entry.id]?.prefix ?? ""
            let roots = originals[entry.id]?.roots
            let group = group(of: entry)
            state.withLock { state in
                let id = state.turned[entry.id] ?? UUID()
                state.turned[entry.id] = id
                let turned = UndoEntry(id: id, operation: entry.operation, steps: did)
                state.waiting.append(.turned(group, entry: entry.id, left: entry.steps.count))
                state.waiting.append(.did(own, HistoryEntry(prefix: prefix, entry: turned, roots: roots)))
                if !renewals.isEmpty { state.waiting.append(.renewed(group, renewals)) }
                guard did.contains(where: { $0.kept?.isOurs == true }) else { return }
                state.kept[prefix, default: 0] += did.reduce(0) { $0 + $1.keptBytes }
            }
        case .ended: break
        }
    }

    /// Writes down what an entry has come to be, where nobody had seen its end; what can't be taken back of it stays as
    /// another.
    private func begins(_ entry: UndoEntry) async throws {
        guard let original = originals[entry.id], original.entry != entry else { return }
        let lost = original.entry.steps.filter { !$0.isReversible }
        var lines: [HistoryLine] = []
        func line(_ entry: UndoEntry) -> HistoryLine {
            .entry(
                group(of: original.entry),
                HistoryEntry(prefix: original.prefix, entry: entry, roots: original.roots)
            )
        }
        if !lost.isEmpty { lines.append(line(UndoEntry(operation: entry.operation, steps: lost))) }
        lines.append(line(entry))
        try await write(lines)
    }

    private func group(of entry: UndoEntry) -> UUID { groups[entry.id] ?? own }

    private func write(_ lines: [HistoryLine]) async throws {
        if lines.isEmpty { return }
        try await BlockingWork.run { [file] in try file.append(lines) }
    }

    /// Writes down how it ended.
    ///
    /// - Parameter outcome: How far it came. If something failed, it is gone on with later, and settled first.
    /// - Throws: The error that keeps it from being written down.
    func end(_ outcome: UndoPerformer.Outcome) async throws {
        let last = state.withLock { state in
            defer { state.waiting = [] }
            return state
        }
        var lines = last.waiting
        if outcome.failure == nil {
            if last.hasBegun || goesOn { lines.append(.ended(own, kept: last.kept)) }
            // The items that were kept for them have come back.
            for group in Set(groups.values) {
                let prefixes = Set(originals.filter { groups[$0.key] == group }.map(\.value.prefix))
                for prefix in prefixes where !prefix.isEmpty { lines.append(.dropped(group, prefix: prefix)) }
                lines.append(.ended(group, kept: [:]))
            }
        }
        try await write(lines)
    }
}
