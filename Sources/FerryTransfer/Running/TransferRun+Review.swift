import FerryCore
import Foundation

// Copies that the target has only said to have.

extension TransferRun {
    /// How often a copy is made that is not there afterwards.
    private static let attempts = 3

    /// Looks at copies that were sent to one folder; what is not there, or has broken off, is sent again.
    ///
    /// - Parameters:
    ///   - batch: The copies.
    ///   - weight: How much of the load this is.
    /// - Returns: What is to be done again.
    /// - Throws: `CancellationError`; the first failure if the options say so.
    func look(at batch: CopyReview.Batch, weight: Int) async throws -> Step {
        try await control?.pass()
        var again: [WorkQueue.Item] = []
        do {
            for (copy, found) in try await transfer.target.unlike(batch, patience) {
                let action = undo(copy, in: batch)
                do {
                    let original = copy.name.isEmpty ? transfer.source.top : batch.original(of: copy)
                    again.append(try await repeated(action, copy, found, from: original))
                } catch let error as CancellationError {
                    throw error
                } catch {
                    try fail(action, error)
                }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            if transfer.options.endsAtFirstFailure { throw error }
            // Nobody can tell whether they are there.
            for copy in batch.copies { try fail(undo(copy, in: batch), error) }
        }
        return again.isEmpty
            ? .done(weight: weight, isDone: true, isOverloaded: false)
            : .again(again, weight: weight, isOverloaded: false)
    }

    /// Takes a copy out of what was done.
    ///
    /// - Returns: What has made it.
    private func undo(_ copy: CopyReview.Copy, in batch: CopyReview.Batch) -> TransferAction {
        let action = TransferAction(copy.isUpdate ? .update : .add, batch.path(of: copy), .missing)
        ledger.undid(action, bytes: copy.bytes)
        return action
    }

    /// How to do again what turned out not to be done.
    ///
    /// - Parameters:
    ///   - action: What has made the copy.
    ///   - copy: The copy.
    ///   - found: What is in its place; removed if it is the beginning of what was sent, and left alone if it may be
    ///     somebody else's.
    ///   - original: Where the original is.
    /// - Returns: What is to be done.
    /// - Throws: Why it is not done again.
    private func repeated(
        _ action: TransferAction,
        _ copy: CopyReview.Copy,
        _ found: FileObject?,
        from original: ItemPath
    ) async throws -> WorkQueue.Item {
        let (source, target) = (transfer.source, transfer.target)
        let place = target.path(action.path)
        let item = try await patience.retrying { try await source.storage.attributesOfItem(path: original) }
        if let found {
            guard try await target.isBeginning(found, of: item, at: source) else {
                throw CocoaError.otherCopy(place, sent: copy.unseen.length, found: found)
            }
            try await removeBroken(place)
        }
        guard copy.attempt < Self.attempts else { throw DamagedCopyError(path: place).told }
        let action = TransferAction(.add, action.path, .missing, source: item)
        ledger.find([action])
        var work = WorkQueue.Item(action: action)
        (work.trial.attempt, work.wasBegun) = (copy.attempt + 1, true)
        return work
    }

    private func removeBroken(_ place: ItemPath) async throws {
        do {
            try await patience.retrying { try await transfer.target.storage.removeItem(path: place) }
        } catch let error as CancellationError {
            throw error
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        } catch {
            throw DamagedCopyError(path: place, remains: error).told
        }
    }
}

extension CocoaError {
    /// What is in a copy's place is something else, which nobody knows the origin of.
    fileprivate static func otherCopy(_ path: ItemPath, sent: Int64?, found: FileObject) -> CocoaError {
        let sizes = sent.flatMap { sent in found.size.map { ": \($0) bytes instead of \(sent)" } } ?? ""
        return .file(
            .fileWriteUnknown,
            path: path,
            description: "what is there is not what was sent\(sizes)",
            suggestion: "look at it, and copy again"
        )
    }
}
