import Foundation
import GRDB
import NIOCore

/// Contents: files, and which of their bytes are good.
extension DiskIndex {
    /// Bytes of a piece, at most; pieces end at multiples of it.
    static let pieceLength: Int64 = 256 << 10

    /// Some bytes of a file, and their checksum.
    struct Piece: Sendable {
        let range: Range<Int64>
        let sum: Int64
    }

    /// A file as the index has it.
    struct FileRow: Sendable {
        let id: Int64
        /// Bytes of the whole content; `nil` if not known.
        let length: Int64?
        /// Bytes that are there.
        let kept: Int64
        /// Of the whole content, once it is there.
        let hash: Data?

        var isWhole: Bool { kept == length }

        /// Indicates whether it can be as it says: nothing is missing of what was whole once.
        var isPossible: Bool { hash == nil || isWhole }
    }

    /// The file of an entry.
    func file(_ id: Int64, _ database: Database) throws -> FileRow? {
        guard let row = try database.row("SELECT length, kept, hash FROM file WHERE id = ?", [id]),
            let kept = row.int("kept"), kept >= 0
        else { return nil }
        return FileRow(id: id, length: row.int("length"), kept: kept, hash: row.blob("hash"))
    }

    /// The pieces of a file that have bytes of a range, in order.
    func pieces(_ file: Int64, in range: Range<Int64>, _ database: Database) throws -> [Piece] {
        // None is longer, so what begins earlier doesn't reach into it.
        let first = max(0, range.lowerBound - Self.pieceLength)
        let rows = try database.rows(
            "SELECT start, finish, sum FROM piece WHERE file = ? AND start >= ? AND start < ? ORDER BY start",
            [file, first, range.upperBound]
        )
        return rows.compactMap { row in
            guard let start = row.int("start"), let end = row.int("finish"), let sum = row.int("sum"), start >= 0,
                start < end, end - start <= Self.pieceLength, end > range.lowerBound
            else { return nil }
            return Piece(range: start..<end, sum: sum)
        }
    }

    /// Returns what a piece's checksum begins with: the same bytes elsewhere have another.
    static func seed(_ file: Int64, _ start: Int64) -> UInt64 {
        UInt64(bitPattern: file) ^ (UInt64(bitPattern: start) &* 0x9E37_79B9_7F4A_7C15)
    }

    // MARK: Reading

    /// The kept contents of an item.
    struct FoundContents: Sendable {
        let entry: EntryRow
        let file: FileRow
        let ranges: [Range<Int64>]
    }

    /// Returns what is kept of an item's contents.
    func contents(_ key: CacheKey) throws -> FoundContents? {
        try pool.read { database in
            guard let (entry, _) = try entry(key, database), let id = entry.file,
                let file = try file(id, database),
                // The row of a file has no checksum; that of the entry has.
                file.isPossible, entry.version.size == nil || file.length == entry.version.size
            else { return nil }
            if file.isWhole, let length = file.length {
                return FoundContents(entry: entry, file: file, ranges: length > 0 ? [0..<length] : [])
            }
            var ranges: [Range<Int64>] = []
            for piece in try pieces(id, in: 0..<Int64.max, database) { ranges.append(joining: piece.range) }
            return FoundContents(entry: entry, file: file, ranges: ranges)
        }
    }

    /// Forgets all contents that are in a file.
    ///
    /// - Parameter file: The file.
    /// - Throws: `DatabaseError`.
    func forgetContents(in file: Int64) throws {
        try pool.write { try forgetContents(in: file, $0) }
        try removeDoomed()
    }

    private func forgetContents(in file: Int64, _ database: Database) throws {
        try database.run("DELETE FROM entry WHERE file = ?", [file])
    }

    /// Some bytes turned out to be no longer what they were.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - start: Where the piece begins; `nil` if the whole file is gone.
    /// - Throws: `DatabaseError`.
    func damaged(_ file: Int64, at start: Int64?) throws {
        try pool.write { database in
            guard let row = try self.file(file, database) else { return }
            if row.hash != nil {
                // Nothing is added to it any more: so it can't be mended.
                try forgetContents(in: file, database)
            } else if let start {
                try database.run("DELETE FROM piece WHERE file = ? AND start = ?", [file, start])
            } else {
                try database.run("DELETE FROM piece WHERE file = ?", [file])
            }
        }
        try removeDoomed()
    }

    // MARK: Writing

    /// The file that is written to.
    struct Begun: Sendable {
        let file: Int64
        /// Indicates whether the file must be made.
        let isNew: Bool
    }

    /// Begins to keep contents.
    ///
    /// - Parameters:
    ///   - key: The key of the contents.
    ///   - version: The version that tells this content from others.
    ///   - length: Bytes of the whole content; `nil` if not known.
    ///   - date: Now.
    ///   - mark: When the storage was asked.
    ///   - limits: How much may be kept.
    /// - Returns: `nil` if nothing is to be written, since it may not or all is there.
    /// - Throws: `DatabaseError`.
    func begin(
        _ key: CacheKey,
        version: CacheVersion,
        length: Int64?,
        date: Date,
        asked mark: CacheMark,
        limits: CacheLimits
    ) throws -> Begun? {
        let begun = try pool.write { database -> Begun? in
            let old = try entry(key, database)?.0
            if let old, version.isSame(as: old.version), let id = old.file, let file = try file(id, database),
                file.isPossible, length == nil || file.length == nil || file.length == length
            {
                // The moment counts for what replaces it, not for adding to it.
                guard try isUnchanged(key, since: mark, database), !file.isWhole else { return nil }
                if let length, file.length == nil {
                    try database.run("UPDATE file SET length = ? WHERE id = ?", [length, id])
                }
                return Begun(file: id, isNew: false)
            }
            guard try mayKeep(key, asked: mark, database) else { return nil }
            try removeRow(key, database)
            let id = Int64.random(in: .min ... .max)
            let entry = EntryRow(
                id: 0,
                version: version,
                date: date.timeIntervalSinceReferenceDate,
                isMovable: true,
                file: id,
                count: 0,
                sum: 0
            )
            let size = Self.size(key, entry, nil) + Self.rowSize
            guard try makeRoom(for: size, limit: limits.diskBytes, database) else { return nil }
            try database.run("INSERT INTO file (id, bytes, length) VALUES (?, ?, ?)", [id, Self.rowSize, length])
            try insert(entry, key, data: nil, serial: mark.serial, database)
            return Begun(file: id, isNew: true)
        }
        try removeDoomed()
        return begun
    }

    /// Notes pieces that are written, and makes room for others.
    ///
    /// - Parameters:
    ///   - key: The key of the contents.
    ///   - file: The file.
    ///   - written: Pieces that the file has.
    ///   - wanted: The ranges to be written.
    ///   - mark: When the storage was asked.
    ///   - limits: How much may be kept.
    /// - Returns: The wanted ranges that are missing and have room; `nil` if nothing is to be written any more.
    /// - Throws: `DatabaseError`.
    func advance(
        _ key: CacheKey,
        _ file: Int64,
        written: [Piece],
        wanted: [Range<Int64>],
        asked mark: CacheMark,
        limits: CacheLimits
    ) throws -> [Range<Int64>]? {
        let missing = try pool.write { database -> [Range<Int64>]? in
            guard let (entry, _) = try entry(key, database), entry.file == file,
                try isUnchanged(key, since: mark, database),
                let row = try self.file(file, database), row.hash == nil
            else { return nil }
            for piece in written where try pieces(file, in: piece.range, database).isEmpty {
                try database.run(
                    "INSERT INTO piece VALUES (?, ?, ?, ?)",
                    [file, piece.range.lowerBound, piece.range.upperBound, piece.sum]
                )
            }
            guard !wanted.isEmpty else { return [] }
            var missing: [Range<Int64>] = []
            for range in wanted {
                missing += try pieces(file, in: range, database).map(\.range).gaps(in: range)
            }
            let size = missing.reduce(Int64(0)) { $0 + Self.size(of: $1) }
            let old = try database.number("SELECT bytes FROM file WHERE id = ?", [file]) ?? 0
            guard old + size <= limits.largestOnDisk,
                try makeRoom(for: size, limit: limits.diskBytes, sparing: file, database)
            else {
                try database.run("DELETE FROM entry WHERE id = ?", [entry.id])
                return nil
            }
            try database.run(
                "UPDATE entry SET used = (SELECT max(used) + 1 FROM entry) WHERE id = ?",
                [entry.id]
            )
            try database.run("UPDATE file SET bytes = bytes + ? WHERE id = ?", [size, file])
            return missing
        }
        try removeDoomed()
        return missing
    }

    /// Returns what bytes take on the disk: whole blocks, and a row.
    private static func size(of range: Range<Int64>) -> Int64 {
        (range.upperBound + 4095) / 4096 * 4096 - range.lowerBound / 4096 * 4096 + pieceSize
    }

    /// Notes how long a content is, once that is known.
    ///
    /// - Returns: The file as it is now; `nil` if the index has it no longer.
    func end(_ file: Int64, length: Int64?) throws -> FileRow? {
        try pool.write { database in
            if let length {
                try database.run("UPDATE file SET length = ? WHERE id = ? AND length IS NULL", [length, file])
            }
            return try self.file(file, database)
        }
    }
}
