import FerryCore
import Foundation
import NIOCore

extension TransferPlace {
    /// So many copies of a folder are asked for one by one; more are looked for in its listing.
    private static let fewCopies = 8

    /// Questions about single copies of a folder at the same time.
    private static let questionsAtOnce = 4

    /// What the storage has in place of copies that were sent to one folder.
    ///
    /// - Parameters:
    ///   - batch: The copies.
    ///   - patience: Tries again what may go better the next time.
    ///   - control: Lets the questions wait while the transfer is paused.
    /// - Returns: Those that are not there as they were sent, with what is there, `nil` if nothing is; or with what keeps
    ///   them from being looked at.
    /// - Throws: `CancellationError`.
    func unlike(
        _ batch: CopyReview.Batch,
        _ patience: Patience,
        _ control: TransferControl?
    ) async throws -> [(copy: CopyReview.Copy, found: Result<FileObject?, any Error>)] {
        let doubtful = batch.copies.count > Self.fewCopies ? try await unlisted(batch, patience) : batch.copies
        // A listing can be older than what was sent, spell a name in another way, and leave out what is hidden.
        return try await withThrowingTaskGroup(of: (CopyReview.Copy, Result<FileObject?, any Error>).self) { group in
            var rest = doubtful[...]
            func askNext() {
                guard let copy = rest.popFirst() else { return }
                group.addTask {
                    try await control?.pass()
                    return (copy, try await found(batch.path(of: copy), patience))
                }
            }
            for _ in 0..<Self.questionsAtOnce { askNext() }
            var unlike: [(CopyReview.Copy, Result<FileObject?, any Error>)] = []
            while let (copy, found) = try await group.next() {
                askNext()
                if case .success(let item?) = found, copy.unseen.agrees(with: item) { continue }
                unlike.append((copy, found))
            }
            return unlike
        }
    }

    /// Those copies that the folder's listing doesn't show as they were sent; all of them if it can't be listed.
    private func unlisted(_ batch: CopyReview.Batch, _ patience: Patience) async throws -> [CopyReview.Copy] {
        do {
            return try await patience.retrying {
                // By their bytes: some storages have two names that text takes for one.
                var missing: [ItemPath: CopyReview.Copy] = [:]
                for copy in batch.copies { missing[ItemPath.root.appending(copy.name)] = copy }
                for try await page in storage.directoryListing(path: path(batch.folder)) {
                    for item in page {
                        let name = ItemPath.root.appending(item.name)
                        if let copy = missing[name], copy.unseen.agrees(with: item) { missing[name] = nil }
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

    /// What is at a path, `nil` if nothing is; or why nobody can tell.
    private func found(_ relative: ItemPath, _ patience: Patience) async throws -> Result<FileObject?, any Error> {
        do {
            let item = try await patience.retrying { try await storage.attributesOfItem(path: path(relative)) }
            return .success(item)
        } catch let error as CancellationError {
            throw error
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return .success(nil)
        } catch {
            return .failure(error)
        }
    }

    /// Whether a file is the beginning of another, and nothing else: a copy that has broken off.
    ///
    /// - Parameters:
    ///   - item: The file.
    ///   - original: The other.
    ///   - source: Where the other is.
    /// - Returns: Whether all of it is what the other begins with.
    /// - Throws: What the storages throw.
    func isBeginning(_ item: FileObject, of original: FileObject, at source: TransferPlace) async throws -> Bool {
        guard item.isRegularFile, original.isRegularFile, item.size ?? 0 < original.size ?? .max else { return false }
        var all = try await source.storage.contentStream(path: original.path).makeAsyncIterator()
        var expected = ByteBuffer()
        for try await chunk in try await storage.contentStream(path: item.path) {
            var chunk = chunk
            while chunk.readableBytes > 0 {
                if expected.readableBytes == 0 {
                    guard let next = try await all.next() else { return false }
                    expected = next
                }
                let count = min(chunk.readableBytes, expected.readableBytes)
                guard chunk.readSlice(length: count) == expected.readSlice(length: count) else { return false }
            }
        }
        if expected.readableBytes > 0 { return true }
        return try await all.next() != nil
    }
}

extension UnseenCopy {
    /// Whether what is there can be it.
    fileprivate func agrees(with item: FileObject) -> Bool {
        guard let length else { return true }
        guard item.isRegularFile else { return false }
        return item.size.map { $0 == length } ?? true
    }
}
