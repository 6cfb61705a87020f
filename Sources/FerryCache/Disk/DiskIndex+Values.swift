import FerryCore
import Foundation
import GRDB
import NIOCore

/// Listings, attributes, pictures and the like.
extension DiskIndex {
    /// A value that was read, and what is known about it.
    struct FoundValue: Sendable {
        let data: Data
        let version: CacheVersion
        let date: Date
    }

    /// The value that is kept of something.
    func value(_ key: CacheKey) throws -> FoundValue? {
        let found = try pool.read { database in
            try entry(key, more: "data", database).map { entry, row in (entry, row.blob("more")) }
        }
        guard let (entry, inline) = found else { return nil }
        var data = inline
        if let file = entry.file {
            let content = ContentFile.open(file, hash: nil, in: folder.files)
            data = content?.read(0..<entry.count).map { Data($0.readableBytesView) }
        }
        guard let data, data.count == Int(entry.count), Checksum.of(data) == entry.sum else { return nil }
        return FoundValue(
            data: data,
            version: entry.version,
            date: Date(timeIntervalSinceReferenceDate: entry.date)
        )
    }

    /// A value that is to be kept.
    struct NewValue: Sendable {
        let data: Data
        /// The key of the entry.
        let key: CacheKey
        /// The version that the storage had.
        let version: CacheVersion
        /// When it said so.
        let date: Date
        /// Indicates whether it stays right when the folder of its item moves.
        let isMovable: Bool
        /// When the storage was asked.
        let mark: CacheMark
    }

    /// Keeps values, all or none.
    ///
    /// - Parameters:
    ///   - values: The values, in the order in which they came.
    ///   - limits: How much may be kept.
    ///   - uses: The other uses, to be noted with them.
    /// - Throws: `DatabaseError`.
    func keep(_ values: [NewValue], limits: CacheLimits, uses: [(key: CacheKey, date: Date?)]) throws {
        let files = try pool.write { database in
            try note(uses, database)
            let last = try lastChange(database)
            return try values.compactMap { value -> (Int64, Data)? in
                guard try isUnchanged(value.key, since: value.mark, last: last, database) else { return nil }
                return try keep(value, limits, database).map { ($0, value.data) }
            }
        }
        try removeDoomed()
        for (file, data) in files {
            // Killed from here on, the file is missing or short, which is a miss.
            let content = ContentFile.openForWriting(file, creates: true, in: folder.files)
            let isWritten = data.withUnsafeBytes { content?.write($0, at: 0) } ?? false
            try settle(file, isWritten: isWritten)
        }
    }

    /// Notes a value.
    ///
    /// - Returns: The file that it is to be written to, if it is too large for the index.
    private func keep(_ value: NewValue, _ limits: CacheLimits, _ database: Database) throws -> Int64? {
        let (data, key) = (value.data, value.key)
        let isInline = data.count <= Self.largestInline
        let file = isInline ? nil : Int64.random(in: .min ... .max)
        let entry = EntryRow(
            id: 0,
            version: value.version,
            date: value.date.timeIntervalSinceReferenceDate,
            isMovable: value.isMovable,
            file: file,
            count: Int64(data.count),
            sum: Checksum.of(data)
        )
        let inline = isInline ? data : nil
        let fileSize = isInline ? 0 : (Int64(data.count) + 4095) / 4096 * 4096 + Self.rowSize
        let old = try self.entry(key, database)
        if let old, !isNotLater(old.1, than: value.mark) { return nil }
        let size = Self.size(key, entry, inline) + fileSize
        if let inline, let old, old.0.file == nil, old.1.int("size") == size, size <= limits.largestOnDisk {
            // It takes the place of what was there, as most listings do: it needs no room, unless the limit is another now.
            try replace(old.0.id, entry, key, data: inline, serial: value.mark.serial, database)
            _ = try makeRoom(for: 0, limit: limits.diskBytes, database)
            return nil
        }
        try removeRow(key, database)
        guard size <= limits.largestOnDisk, try makeRoom(for: size, limit: limits.diskBytes, database) else {
            return nil
        }
        if let file {
            try database.run("INSERT INTO file (id, bytes) VALUES (?, ?)", [file, fileSize])
        }
        try insert(entry, key, data: inline, serial: value.mark.serial, database)
        return file
    }

    /// Makes sure that a file is there only if the index has it.
    ///
    /// - Parameters:
    ///   - file: A file that was made.
    ///   - isWritten: `true` if it is good; if not, the index forgets it.
    /// - Throws: `DatabaseError`.
    func settle(_ file: Int64, isWritten: Bool) throws {
        if !isWritten {
            try pool.write { try $0.run("DELETE FROM entry WHERE file = ?", [file]) }
            try removeDoomed()
        }
        // Others may have forgotten it before it was made.
        let isKnown = try pool.read { try $0.number("SELECT 1 FROM file WHERE id = ?", [file]) != nil }
        if !isKnown { _ = ContentFile.remove(ContentFile.name(file), in: folder.files) }
    }

    /// The variants that are kept of one kind of an item.
    func variants(_ key: CacheKey) throws -> [String] {
        try pool.read { database in
            guard let account = try number(of: key.account, database) else { return [] }
            return try database.rows(
                "SELECT variant FROM entry WHERE account = ? AND path = ? AND kind = ?",
                [account, key.path.string, key.kind.rawValue]
            ).compactMap { $0.text("variant") }
        }
    }
}
