import FerryCore
import Foundation

extension TransferPlace {
    /// So many copies of a folder are asked for one by one; more are looked for in its listing.
    private static let fewCopies = 8

    /// Questions about single copies of a folder at the same time.
    private static let questionsAtOnce = 4

    /// Files that are compared byte by byte with what was sent.
    private static let mostCompared: Int64 = 1 << 20

    /// What the storage has in place of copies that were sent to one folder.
    ///
    /// - Parameters:
    ///   - batch: The copies.
    ///   - patience: Tries again what may go better the next time.
    /// - Returns: Those that are not there as they were sent, with what is there; `nil` if nothing is.
    /// - Throws: What keeps them from being looked at.
    func unlike(
        _ batch: CopyReview.Batch,
        _ patience: Patience
    ) async throws -> [(copy: CopyReview.Copy, found: FileObject?)] {
        var doubtful = batch.copies
        if doubtful.count > Self.fewCopies {
            doubtful = try await patience.retrying { try await unlisted(batch) }
        }
        // A listing can be older than what was sent, spell a name in another way, and leave out what is hidden.
        return try await withThrowingTaskGroup(of: (CopyReview.Copy, FileObject?).self) { group in
            var rest = doubtful[...]
            func askNext() {
                guard let copy = rest.popFirst() else { return }
                group.addTask {
                    (copy, try await patience.retrying { try await item(at: path(batch.path(of: copy))) })
                }
            }
            for _ in 0..<Self.questionsAtOnce { askNext() }
            var unlike: [(CopyReview.Copy, FileObject?)] = []
            while let (copy, found) = try await group.next() {
                askNext()
                if let found, copy.unseen.length.map({ $0 == found.size ?? $0 }) ?? true { continue }
                unlike.append((copy, found))
            }
            return unlike
        }
    }

    /// Those copies that the folder's listing doesn't show as they were sent.
    private func unlisted(_ batch: CopyReview.Batch) async throws -> [CopyReview.Copy] {
        var missing = Dictionary(batch.copies.map { ($0.name, $0) }) { $1 }
        for try await page in storage.directoryListing(path: path(batch.folder)) {
            for item in page where item.isRegularFile {
                guard let copy = missing[item.name], let size = item.size, copy.unseen.length ?? size == size else {
                    continue
                }
                missing[item.name] = nil
            }
        }
        return Array(missing.values)
    }

    /// What is at a path; `nil` if nothing is.
    private func item(at path: ItemPath) async throws -> FileObject? {
        do {
            return try await storage.attributesOfItem(path: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return nil
        }
    }

    /// Whether a file is the beginning of another, and nothing else: a copy that has broken off.
    ///
    /// - Parameters:
    ///   - item: The file.
    ///   - original: The other.
    ///   - source: Where the other is.
    /// - Returns: `false` also for what is too long to be read once more.
    /// - Throws: What the storages throw.
    func isBeginning(_ item: FileObject, of original: FileObject, at source: TransferPlace) async throws -> Bool {
        guard item.isRegularFile, original.isRegularFile, let size = item.size, size <= Self.mostCompared,
            original.size.map({ $0 <= Self.mostCompared }) ?? false
        else { return false }
        let all = try await source.storage.contents(path: original.path)
        let part = size > 0 ? try await storage.contents(path: item.path) : Data()
        return part.count < all.count && all.starts(with: part)
    }
}
