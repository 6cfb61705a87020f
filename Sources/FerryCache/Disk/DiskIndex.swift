import FerryCore
import Foundation
import GRDB
import Synchronization

/// The index of a store's disk level, opened: which bytes are kept of what.
///
/// A row whose checksum is wrong is as good as none. All calls wait for the disk.
final class DiskIndex: Sendable {
    /// Bytes of a value that is kept in the index itself, at most.
    static let largestInline = 64 << 10
    /// Bytes that an entry takes in the index, about, its text not included.
    static let rowSize: Int64 = 256
    /// Bytes that a piece takes in the index, about.
    static let pieceSize: Int64 = 64

    let folder: IndexFolder
    /// Tells it from other indexes.
    let id: Int64
    /// Tells this process from others.
    let process: Int64
    let pool: DatabasePool
    private let identity: IndexFolder.Identity
    private let accounts = Mutex<[CacheAccount: Int64]>([:])

    /// Opens an index, or makes one.
    ///
    /// - Parameters:
    ///   - folder: Its folder.
    ///   - process: Tells this process from others.
    ///   - trace: Called with each statement.
    /// - Throws: The error that keeps it from being opened or made.
    init(_ folder: IndexFolder, process: Int64, trace: (@Sendable (String) -> Void)? = nil) throws {
        try folder.make()
        var configuration = Configuration()
        configuration.label = "ferry.cache"
        // Several processes write at the same time; none of them for long.
        configuration.busyMode = .timeout(10)
        configuration.maximumReaderCount = 4
        configuration.persistentReadOnlyConnections = true
        configuration.prepareDatabase { database in
            try IndexSchema.prepare(database)
            if let trace { database.trace { trace("\($0)") } }
        }
        pool = try DatabasePool(path: folder.database, configuration: configuration)
        id = try pool.write { database in
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version")
            if version == 0 { try IndexSchema.make(database, id: .random(in: .min ... .max)) }
            guard version == 0 || version == IndexSchema.version,
                let id = try database.number("SELECT value FROM state WHERE name = 'index'")
            else { throw DamagedIndex() }
            return id
        }
        guard let identity = folder.identity else { throw DamagedIndex() }
        self.identity = identity
        self.folder = folder
        self.process = process
    }

    /// Indicates whether it is still what is found in its folder.
    var isInPlace: Bool { folder.identity == identity }

    // MARK: Rows

    /// The number of an account; `nil` if there is nothing of it.
    func number(of account: CacheAccount, _ database: Database) throws -> Int64? {
        if let number = accounts.withLock({ $0[account] }) { return number }
        let number = try database.number("SELECT id FROM account WHERE key = ?", [account.key])
        if let number { accounts.withLock { $0[account] = number } }
        return number
    }

    /// The number of an account, which gets one if it has none.
    func makeNumber(of account: CacheAccount, _ database: Database) throws -> Int64 {
        if let number = try number(of: account, database) { return number }
        try database.run(
            "INSERT INTO account (key, type, user, base) VALUES (?, ?, ?, ?)",
            [account.key, account.type, account.user, account.baseURL]
        )
        return database.lastInsertedRowID
    }

    /// The row of something, and the rest of it.
    func entry(_ key: CacheKey, more: String = "NULL", _ database: Database) throws -> (EntryRow, Row)? {
        guard let account = try number(of: key.account, database) else { return nil }
        let row = try database.row(
            """
            SELECT \(EntryRow.columns), process, asked, size, \(more) AS more FROM entry
            WHERE account = ? AND path = ? AND kind = ? AND variant = ?
            """,
            [account, key.path.string, key.kind.rawValue, key.variant]
        )
        guard let row, let entry = EntryRow(row, key) else { return nil }
        return (entry, row)
    }

    /// Removes the row of something, also a damaged one.
    func removeRow(_ key: CacheKey, _ database: Database) throws {
        guard let account = try number(of: key.account, database) else { return }
        try database.run(
            "DELETE FROM entry WHERE account = ? AND path = ? AND kind = ? AND variant = ?",
            [account, key.path.string, key.kind.rawValue, key.variant]
        )
    }

    /// Adds a row, in place of one of the same.
    func insert(_ entry: EntryRow, _ key: CacheKey, data: Data?, serial: UInt64, _ database: Database) throws {
        try removeRow(key, database)
        try database.run(
            """
            INSERT INTO entry (
                account, path, kind, variant, used, size, process, asked, date, etag, length, modified,
                checksums, movable, file, count, sum, proof, data
            ) VALUES (
                ?, ?, ?, ?, (SELECT ifnull(max(used), 0) + 1 FROM entry), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
            )
            """,
            [
                try makeNumber(of: key.account, database), key.path.string, key.kind.rawValue, key.variant,
                Self.size(key, entry, data), process, Int64(clamping: serial), entry.date, entry.version.eTag,
                entry.version.size, entry.version.modified, entry.version.checksums, entry.isMovable, entry.file,
                entry.count, entry.sum, entry.proof(key), data,
            ]
        )
    }

    /// Gives a row that is in no file another value of the same size.
    func replace(
        _ id: Int64,
        _ entry: EntryRow,
        _ key: CacheKey,
        data: Data,
        serial: UInt64,
        _ database: Database
    ) throws {
        try database.run(
            """
            UPDATE entry SET used = (SELECT max(used) + 1 FROM entry), process = ?, asked = ?, date = ?, etag = ?,
                length = ?, modified = ?, checksums = ?, movable = ?, count = ?, sum = ?, proof = ?, data = ?
            WHERE id = ?
            """,
            [
                process, Int64(clamping: serial), entry.date, entry.version.eTag, entry.version.size,
                entry.version.modified, entry.version.checksums, entry.isMovable, entry.count, entry.sum,
                entry.proof(key), data, id,
            ]
        )
    }

    /// Returns what a row counts for the limit: its text is in the table and in an index.
    static func size(_ key: CacheKey, _ entry: EntryRow, _ data: Data?) -> Int64 {
        let version = (entry.version.eTag?.utf8.count ?? 0) + (entry.version.checksums?.utf8.count ?? 0)
        let text = 2 * (key.path.string.utf8.count + key.variant.utf8.count) + version
        // A value that doesn't fit beside others has pages of its own.
        let bytes = data.map { $0.count > 1000 ? ($0.count + 4095) / 4096 * 4096 : $0.count } ?? 0
        return rowSize + Int64(text + bytes)
    }
}
