import FerryCore
import FerryUndo
import Foundation

/// Finds out how far an undoing or redoing came whose process was killed, and writes that down.
struct HistorySettling {
    let keeper: HistoryKeeper

    /// The time for which the last request of a killed process may still be carried out.
    private static let delay: TimeInterval = 15 * 60

    /// Settles what is not known.
    ///
    /// - Parameter history: The history as it was read.
    /// - Returns: `true` if anything was written: then the history has to be read again.
    /// - Throws: The error that keeps a storage from being looked at; then nothing is known of what is there.
    func run(_ history: History) async throws -> Bool {
        var hasSettled = false
        for command in history.commands where !command.isRunning {
            for group in [command.given] + command.turns where !group.isDropped {
                // Only a redoing takes back the steps of an undoing, and only an undoing all others.
                guard let own = command.turns.last(where: { $0.isUndo != group.isUndo }) else { continue }
                for (id, names) in group.turning {
                    guard let entry = group.entries.first(where: { $0.entry.id == id }) else { continue }
                    if try await settle(entry, of: group, names, by: own) { hasSettled = true }
                }
            }
        }
        return hasSettled
    }

    /// Settles the last step of an entry.
    ///
    /// If the step was not taken back, the names stay for a while: the request that was sent last may be carried out later,
    /// and undoing goes on from there the next time.
    ///
    /// - Returns: `true` if anything was written.
    private func settle(
        _ entry: HistoryEntry,
        of group: History.Group,
        _ names: [String],
        by own: History.Group
    ) async throws -> Bool {
        guard let step = entry.entry.steps.last else { return false }
        for root in entry.roots ?? [] { try await keeper.session.hold(root: root) }
        let (storage, location) = try await keeper.storage(entry.prefix)
        await keeper.session.changes(location)
        let left = entry.entry.steps.count
        let found: [UndoStep]?
        do {
            found = try await storage.retries.reading {
                try await UndoPerformer().settle(turning: step, names: names, on: storage)
            }
        } catch is UndoRefusal {
            // The kept content is gone; the error comes when that command is undone.
            found = nil
        }
        guard let did = found else {
            guard Date().timeIntervalSince(own.header.date) > Self.delay else { return false }
            try await keeper.write(.turned(group.id, entry: entry.entry.id, left: left))
            return true
        }
        let turned = UndoEntry(operation: entry.entry.operation, steps: did)
        let renewals = step.renewals(turnedInto: did)
        try await keeper.write(
            [
                .turned(group.id, entry: entry.entry.id, left: left - 1),
                .did(own.id, HistoryEntry(prefix: entry.prefix, entry: turned, roots: entry.roots)),
            ] + (renewals.isEmpty ? [] : [.renewed(group.id, renewals)])
        )
        return true
    }
}
