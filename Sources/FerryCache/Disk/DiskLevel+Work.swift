import FerryCore
import Foundation
import GRDB

/// The store's work with the disk level; all calls wait for the disk.
extension DiskLevel {
    /// The decision about contents that are to be kept.
    enum Writing: Sendable {
        /// They are written.
        case writes(DiskContentsWriter)
        /// They are not to be kept, or are already.
        case refuses
        /// The disk doesn't work.
        case fails
    }

    /// Returns what is kept of an item's contents.
    func contents(_ key: CacheKey) -> KeptContents? {
        perform { index -> KeptContents? in
            guard let found = try index.contents(key) else { return nil }
            guard let content = ContentFile.open(found.file.id, hash: found.file.hash, in: index.folder.files) else {
                // Another process that has just begun it may not have made its file yet.
                if found.file.kept > 0 { try index.damaged(found.file.id, at: nil) }
                return nil
            }
            let reader = DiskContents(self, index, found.file, content)
            return KeptContents(
                version: found.entry.version,
                length: found.file.length,
                ranges: found.ranges,
                date: Date(timeIntervalSinceReferenceDate: found.entry.date),
                level: .disk,
                source: reader.read
            )
        } ?? nil
    }

    /// Begins to keep contents.
    func writer(
        _ key: CacheKey,
        version: CacheVersion,
        length: Int64?,
        coming: Int64?,
        date: Date,
        asked mark: CacheMark,
        limits: @escaping @Sendable () -> CacheLimits
    ) -> Writing {
        // Of a file that is too large, parts can be kept.
        if let bytes = coming ?? length, bytes > limits().largestOnDisk { return .refuses }
        let result = perform { index -> Writing in
            let begun = try index.begin(
                key,
                version: version,
                length: length,
                date: date,
                asked: mark,
                limits: limits()
            )
            guard let begun else { return .refuses }
            guard let work = DiskContentsWork(self, index, key, begun, asked: mark, limits: limits) else {
                return .fails
            }
            return .writes(DiskContentsWriter(work))
        }
        return result ?? .fails
    }

    /// Notes what was used.
    func note(_ uses: [(key: CacheKey, date: Date?)]) {
        perform { index in try index.pool.write { try index.note(uses, $0) } }
    }
}

extension DiskIndex {
    /// The changes since a moment.
    struct News: Sendable {
        let mark: CacheMark.DiskMark
        /// `nil` if not all is known.
        let changes: [(change: CacheChange, isOurs: Bool)]?
    }

    /// Returns what has changed since a moment.
    ///
    /// - Parameter known: The moment; `nil` if nothing is known yet.
    /// - Returns: The changes.
    /// - Throws: `DatabaseError`.
    func news(since known: CacheMark.DiskMark?) throws -> News {
        try pool.read { database in
            let mark = CacheMark.DiskMark(index: id, change: try lastChange(database))
            guard let known, known.index == id, known.change <= mark.change else {
                return News(mark: mark, changes: nil)
            }
            guard known.change < mark.change else { return News(mark: mark, changes: []) }
            let first = try database.number("SELECT min(id) FROM change") ?? 0
            let isComplete = first <= known.change + 1
            return News(mark: mark, changes: isComplete ? try changes(after: known.change, database) : nil)
        }
    }

    /// Notes changes, and forgets what they concern.
    func apply(_ changes: [CacheChange]) throws {
        try pool.write { database in
            for change in changes { try apply(change, database) }
        }
    }

    /// Takes along what is kept of an item that has moved, and of all below it.
    func move(_ path: ItemPath, to target: ItemPath, of account: CacheAccount) throws {
        try pool.write { try move(path, to: target, of: account, $0) }
    }
}
