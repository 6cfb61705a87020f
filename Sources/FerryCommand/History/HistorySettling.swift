import FerryCore
import FerryUndo
import Foundation

/// Finds out how far an undoing or redoing came whose process was killed, and writes that down.
struct HistorySettling {
    let keeper: HistoryKeeper

    /// Settles what is not known.
    ///
    /// - Parameter history: The history as it was read.
    /// - Returns: `true` if anything was written: then the history has to be read again.
    /// - Throws: The error that keeps a storage from being looked at; then nothing is known of what is there.
    func run(_ history: History) async throws -> Bool {
        var hasSettled = false
        for command in history.commands where !command.isRunning {
            guard let own = command.turns.last else { continue }
            for group in [command.given] + command.turns where !group.isDropped {
                for (id, name) in group.turning {
                    guard let entry = group.entries.first(where: { $0.entry.id == id }) else { continue }
                    try await settle(entry, of: group, name, by: own)
                    hasSettled = true
                }
            }
        }
        return hasSettled
    }

    private func settle(
        _ entry: HistoryEntry,
        of group: History.Group,
        _ name: String,
        by own: History.Group
    ) async throws {
        guard let step = entry.entry.steps.last else { return }
        for root in entry.roots ?? [] { try await keeper.session.hold(root: root) }
        let (storage, location) = try await keeper.storage(entry.prefix)
        await keeper.session.changes(location)
        let left = entry.entry.steps.count
        let found = try await storage.retries.reading {
            try await UndoPerformer().settle(turning: step, name: name, on: storage)
        }
        guard let did = found else {
            return try await keeper.write(.turned(group.id, entry: entry.entry.id, left: left))
        }
        let turned = UndoEntry(operation: entry.entry.operation, steps: did)
        let renewals = step.renewals(turnedInto: did)
        try await keeper.write(
            [
                .turned(group.id, entry: entry.entry.id, left: left - 1),
                .did(own.id, HistoryEntry(prefix: entry.prefix, entry: turned, roots: entry.roots)),
            ] + (renewals.isEmpty ? [] : [.renewed(group.id, renewals)])
        )
    }
}
