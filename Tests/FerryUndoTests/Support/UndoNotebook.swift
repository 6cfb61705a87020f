import FerryCore
import FerryUndo
import Foundation
import Synchronization

/// The notes about operations, and about taking them back, as a command writes them into its history.
final class UndoNotebook: UndoJournal {
    struct Notes {
        /// The entries that are still to be taken back, in their order.
        var left: [UndoEntry] = []
        /// The entries of taking back, in their order.
        var turned: [UndoEntry] = []
        /// Entries whose last step somebody was about to take back, and the names of what attempts at that keep.
        var turning: [UUID: [String]] = [:]
    }

    let notes = Mutex(Notes())

    func begins(_ entry: UndoEntry) async throws { put(entry) }
    func ended(_ entry: UndoEntry) async { put(entry) }

    private func put(_ entry: UndoEntry) {
        notes.withLock { notes in
            if let index = notes.left.firstIndex(where: { $0.id == entry.id }) {
                notes.left[index] = entry
            } else {
                notes.left.append(entry)
            }
        }
    }

    /// Takes back what is left.
    ///
    /// - Throws: The error that ends it.
    func undo(on storage: UndoStorage) async throws {
        let (left, turned, turning) = notes.withLock { ($0.left, $0.turned, $0.turning) }
        let outcome = try await UndoPerformer().undo(
            left.filter { !$0.steps.isEmpty }
                .map { UndoPerformer.Work($0, on: storage, attempts: turning[$0.id] ?? []) },
            after: turned.map { UndoPerformer.Work($0, on: storage) }
        ) { self.note($0) }
        if let failure = outcome.failure { throw failure }
    }

    private func note(_ note: UndoPerformer.Note) {
        switch note {
        case .begins(let entry): put(entry)
        case .turning(let entry, let name): notes.withLock { $0.turning[entry.id, default: []].append(name) }
        case .turned(let entry, into: _, let did, let renewals): turned(entry.id, entry.operation, did, renewals)
        case .ended: break
        }
    }

    private func turned(_ id: UUID, _ operation: FileOperationType, _ did: [UndoStep], _ renewals: [UndoRenewal]) {
        notes.withLock { notes in
            notes.turning[id] = nil
            if let index = notes.left.firstIndex(where: { $0.id == id }) { notes.left[index].steps.removeLast() }
            if !did.isEmpty { notes.turned.append(UndoEntry(operation: operation, steps: did)) }
            for index in notes.left.indices {
                notes.left[index].steps = notes.left[index].steps.map { $0.renewed(renewals) }
            }
        }
    }

    /// Finds out how far it came.
    ///
    /// - Throws: The error that keeps the storage from being looked at.
    func settle(on storage: UndoStorage) async throws {
        for (id, names) in notes.withLock({ $0.turning }) {
            guard let entry = notes.withLock({ $0.left.first { $0.id == id } }), let step = entry.steps.last,
                let did = try await UndoPerformer().settle(turning: step, names: names, on: storage)
            else { continue }
            turned(id, entry.operation, did, step.renewals(turnedInto: did))
        }
    }

    /// Turns the entries of taking back into those that are still to be taken back.
    func turnRound() {
        notes.withLock { $0 = Notes(left: $0.turned) }
    }

    /// Indicates whether all is taken back.
    var isDone: Bool { notes.withLock { $0.left.allSatisfy(\.steps.isEmpty) } }
}
