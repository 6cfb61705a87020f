import FerryCore
import Foundation

extension TransferPlace {
    /// So many copies of a folder are asked for one by one; more are looked for in its listing.
    private static let fewCopies = 8

    /// Files that are compared byte by byte with what was sent.
    private static let mostCompared: Int64 = 1 << 20

    /// What the storage has in place of copies that were sent to one folder.
    ///
    /// - Parameters:
    ///   - copies: The copies.
    ///   - patience: Tries again what may go better the next time.
    /// - Returns: Those that are not there as they were sent, with what is there; `nil` if nothing is.
    /// - Throws: What keeps them from being looked at.
    func unlike(
        _ copies: [CopyReview.Copy],
        _ patience: Patience
    ) async throws -> [(copy: CopyReview.Copy, found: FileObject?)] {
        var doubtful = copies
        if copies.count > Self.fewCopies, let folder = copies.first?.action.path.parent {
            var sizes: [String: Int64] = [:]
            for item in try await patience.retrying({ try await storage.contentsOfDirectory(path: path(folder)) })
            where item.isRegularFile {
                sizes[item.name] = item.size
            }
            doubtful = copies.filter { copy in
                guard let size = sizes[copy.action.path.lastName] else { return true }
                return copy.copy.length.map { $0 != size } ?? false
            }
        }
        // A listing can be older than what was sent, and can spell a name in another way.
        var unlike: [(CopyReview.Copy, FileObject?)] = []
        for copy in doubtful {
            let found = try await patience.retrying { try await item(at: path(copy.action.path)) }
            if let found, copy.copy.length.map({ $0 == found.size ?? $0 }) ?? true { continue }
            unlike.append((copy, found))
        }
        return unlike
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
