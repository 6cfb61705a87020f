import FerryCore
import Foundation

extension TransferPlace {
    /// So many copies of a folder are asked for one by one; more are looked for in its listing.
    private static let fewCopies = 8

    /// Questions about single copies of a folder at the same time.
    private static let questionsAtOnce = 4

    /// Returns what the storage has in place of copies that were sent to one folder.
    ///
    /// - Parameters:
    ///   - batch: The copies.
    ///   - retryState: Tries again what may go better the next time.
    ///   - control: Lets the questions wait while the transfer is paused.
    ///   - see: Called with each copy that is there as it was sent.
    /// - Returns: Those that are not there as they were sent, with what is there, `nil` if nothing is; or with what keeps
    ///   them from being looked at.
    /// - Throws: `CancellationError`.
    func unlike(
        _ batch: CopyReview.Batch,
        _ retryState: RetryState,
        _ control: TransferControl?,
        see: @escaping @Sendable (FileObject) -> Void
    ) async throws -> [(copy: CopyReview.Copy, found: Result<FileObject?, any Error>)] {
        let doubtful = batch.copies.count > Self.fewCopies ? try await unlisted(batch, retryState, see) : batch.copies
        // A listing can be older than what was sent, spell a name in another way, and leave out what is hidden.
        return try await withThrowingTaskGroup(of: (CopyReview.Copy, Result<FileObject?, any Error>).self) { group in
            var rest = doubtful[...]
            func askNext() {
                guard let copy = rest.popFirst() else { return }
                group.addTask {
                    try await control?.pass()
                    return (copy, try await found(batch.path(of: copy), retryState))
                }
            }
            for _ in 0..<Self.questionsAtOnce { askNext() }
            var unlike: [(CopyReview.Copy, Result<FileObject?, any Error>)] = []
            while let (copy, found) = try await group.next() {
                askNext()
                if case .success(let item?) = found, copy.unseen.agrees(with: item) {
                    see(item)
                    continue
                }
                unlike.append((copy, found))
            }
            return unlike
        }
    }

    /// Those copies that the folder's listing doesn't show as they were sent; all of them if it can't be listed.
    private func unlisted(
        _ batch: CopyReview.Batch,
        _ retryState: RetryState,
        _ see: @escaping @Sendable (FileObject) -> Void
    ) async throws -> [CopyReview.Copy] {
        do {
            return try await retryState.retrying {
                // By their bytes: some storages have two names that text takes for one.
                var missing: [ItemPath: CopyReview.Copy] = [:]
                for copy in batch.copies { missing[ItemPath.root.appending(copy.name)] = copy }
                for try await page in storage.directoryListing(path: path(batch.folder)) {
                    for item in page {
                        let name = ItemPath.root.appending(item.name)
                        guard let copy = missing[name], copy.unseen.agrees(with: item) else { continue }
                        missing[name] = nil
                        see(item)
                    }
                }
                return Array(missing.values)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            return batch.copies
        }
    }

    /// Returns what is at a path, `nil` if nothing is; or why nobody can tell.
    private func found(_ relative: ItemPath, _ retryState: RetryState) async throws -> Result<FileObject?, any Error> {
        do {
            let item = try await retryState.retrying { try await storage.attributesIfExists(path: path(relative)) }
            return .success(item)
        } catch let error as CancellationError {
            throw error
        } catch {
            return .failure(error)
        }
    }
}
