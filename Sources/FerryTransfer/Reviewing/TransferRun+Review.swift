import FerryCore
import Foundation

// Copies that the target has only said to have.

extension TransferRun {
    /// How often a copy is made that is not there afterwards.
    private static let attempts = 3

    /// Looks at copies that were sent to one folder; what is not there, or has broken off, is sent again.
    ///
    /// - Parameter batch: The copies.
    /// - Returns: The work that is to be done again.
    /// - Throws: `CancellationError`; the first failure if the options say so.
    func look(at batch: CopyReview.Batch) async throws -> Step {
        try await control?.pass()
        var again: [WorkQueue.Item] = []
        let unlike = try await transfer.target.unlike(batch, retryState, control) { [walk] in walk.uploads?.see($0) }
        for (copy, found) in unlike {
            let action = TransferAction(copy.isUpdate ? .update : .add, batch.path(of: copy), .missing)
            let original = copy.name.isEmpty ? transfer.source.top : batch.original(of: copy)
            do {
                guard let work = try await repeated(action, copy, try found.get(), from: original) else { continue }
                ledger.undid(action, bytes: copy.bytes, copy.losses)
                ledger.find([work.action])
                again.append(work)
            } catch let error as CancellationError {
                throw error
            } catch {
                ledger.undid(action, bytes: copy.bytes, copy.losses)
                try fail(action, (error as? DamagedCopyError)?.told ?? error)
            }
        }
        return .ended(again, isOverloaded: false)
    }

    /// How to do again what turned out not to be done.
    ///
    /// - Parameters:
    ///   - action: The action that has made the copy.
    ///   - copy: The copy.
    ///   - found: The item in its place: left alone if it may be somebody else's; the beginning of a new file is
    ///     removed, and that of one that was replaced is replaced once more, since it may be the old one.
    ///   - original: Where the original is.
    /// - Returns: The work to be done; `nil` if the copy is right after all.
    /// - Throws: Why it is not done again.
    private func repeated(
        _ action: TransferAction,
        _ copy: CopyReview.Copy,
        _ found: FileObject?,
        from original: ItemPath
    ) async throws -> WorkQueue.Item? {
        let (source, target) = (transfer.source, transfer.target)
        let place = target.path(action.path)
        let item = try await retryState.retrying { try await source.storage.attributesOfItem(path: original) }
        guard item.isDirectory == copy.isFolder else { throw SourceChangedError(path: original).told }
        var again = TransferAction(.add, action.path, .missing, source: item)
        if let found {
            // A copy by the server itself has the content that was there then.
            if copy.unseen.isByServer, found.type == item.type, found.size == item.size { return nil }
            guard try await target.isBeginning(found, of: item, at: source) else {
                throw CocoaError.otherCopy(place, sent: copy.unseen.length, found: found)
            }
            if copy.isUpdate {
                (again.kind, again.reason, again.target) = (.update, .size, found)
            } else {
                try await target.removeDamaged(at: place, ifStill: found, retryState)
            }
        }
        guard copy.attempt < Self.attempts else { throw DamagedCopyError(path: place) }
        var work = WorkQueue.Item(action: again)
        (work.wasBegun, work.sendings) = (again.kind == .add, copy.attempt)
        return work
    }
}
