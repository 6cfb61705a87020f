import FerryCore
import Foundation
import GRDB

/// Changes, as all processes tell each other.
extension DiskIndex {
    /// Returns whether an answer may be kept: nothing has changed about it since it was asked for, and no later answer
    /// is kept.
    func mayKeep(_ key: CacheKey, asked mark: CacheMark, _ database: Database) throws -> Bool {
        guard try isUnchanged(key, since: mark, database) else { return false }
        guard let (_, row) = try entry(key, database) else { return true }
        return isNotLater(row, than: mark)
    }

    /// Returns whether nothing has changed about something since it was asked for.
    ///
    /// - Parameters:
    ///   - key: The key of the answer.
    ///   - mark: When.
    ///   - last: The last change of all, if that is known.
    ///   - database: A connection, in a transaction.
    /// - Returns: `false` also if that is so long ago that not all changes since are known.
    /// - Throws: `DatabaseError`.
    func isUnchanged(
        _ key: CacheKey,
        since mark: CacheMark,
        last: Int64? = nil,
        _ database: Database
    ) throws -> Bool {
        guard let disk = mark.disk, disk.index == id else { return false }
        guard try last ?? lastChange(database) > disk.change else { return true }
        guard let first = try database.number("SELECT min(id) FROM change"), first <= disk.change + 1 else {
            return false
        }
        return try !changes(after: disk.change, database).contains { $0.change.concerns(key) }
    }

    /// Returns whether what a row has was not asked for later.
    func isNotLater(_ row: Row, than mark: CacheMark) -> Bool {
        row.int("process") != process || (row.int("asked") ?? 0) <= Int64(clamping: mark.serial)
    }

    /// The number of the last change; 0 before the first.
    func lastChange(_ database: Database) throws -> Int64 {
        try database.number("SELECT max(id) FROM change") ?? 0
    }

    /// The changes after one, in their order.
    func changes(after number: Int64, _ database: Database) throws -> [(change: CacheChange, isOurs: Bool)] {
        let sql = """
            SELECT change.process, change.account, change.path, change.below, change.kinds,
                account.type, account.user, account.base
            FROM change LEFT JOIN account ON account.id = change.account WHERE change.id > ? ORDER BY change.id
            """
        return try database.rows(sql, [number]).map { row in
            var account: CacheAccount?
            if row.int("account") != nil {
                guard let type = row.text("type"), let user = row.text("user"), let base = row.text("base") else {
                    throw DamagedIndex()
                }
                account = CacheAccount(type: type, user: user, baseURL: base)
            }
            guard let path = row.text("path").flatMap(ItemPath.init), let below = row.int("below") else {
                throw DamagedIndex()
            }
            let kinds = row.int("kinds").map { mask in
                Set(CacheKind.allCases.filter { mask & 1 << Int64($0.rawValue) != 0 })
            }
            let change = CacheChange(account: account, path: path, below: below != 0, kinds: kinds)
            return (change, row.int("process") == process)
        }
    }

    /// Notes a change.
    private func note(_ change: CacheChange, of account: Int64?, _ database: Database) throws {
        let mask = change.kinds.map { $0.reduce(Int64(0)) { $0 | 1 << Int64($1.rawValue) } }
        try database.run(
            "INSERT INTO change (process, account, path, below, kinds) VALUES (?, ?, ?, ?, ?)",
            [process, account, change.path.string, change.below, mask]
        )
        let last = database.lastInsertedRowID
        guard last % 256 == 0 else { return }
        try database.run("DELETE FROM change WHERE id <= ?", [last - IndexSchema.changes])
    }

    /// Notes a change, and forgets what it concerns.
    func apply(_ change: CacheChange, _ database: Database) throws {
        guard let account = change.account else { return }
        let number = try makeNumber(of: account, database)
        try note(change, of: number, database)
        let kinds = (change.kinds ?? Set(CacheKind.allCases)).map { String($0.rawValue) }.sorted()
        let among = "account = ? AND kind IN (\(kinds.joined(separator: ", ")))"
        if !(change.below && change.path.isRoot) {
            try database.run("DELETE FROM entry WHERE \(among) AND path = ?", [number, change.path.string])
        }
        guard change.below else { return }
        let (first, end) = Self.bounds(below: change.path)
        try database.run("DELETE FROM entry WHERE \(among) AND path >= ? AND path < ?", [number, first, end])
    }

    /// Takes along what is kept of an item that has moved, and of all below it.
    func move(_ path: ItemPath, to target: ItemPath, of account: CacheAccount, _ database: Database) throws {
        let number = try makeNumber(of: account, database)
        try note(CacheChange(account: account, path: path, below: true, kinds: nil), of: number, database)
        try apply(CacheChange(account: account, path: target, below: true, kinds: nil), database)
        // Above the item there is nothing to take; into itself it can't have moved.
        guard !path.isRoot, !target.isRoot, path != target, !target.isBelow(path), !path.isBelow(target) else {
            return try apply(CacheChange(account: account, path: path, below: true, kinds: nil), database)
        }
        let (first, end) = Self.bounds(below: path)
        let rows = try database.rows(
            """
            SELECT \(EntryRow.columns), path, kind, variant, data FROM entry
            WHERE account = ?1 AND (path = ?2 OR (path >= ?3 AND path < ?4))
            """,
            [number, path.string, first, end]
        )
        for row in rows {
            guard let id = row.int("id") else { throw DamagedIndex() }
            guard let old = CacheKey(row, account), let entry = EntryRow(row, old), entry.isMovable,
                // The item's own name is in what a listing would show of it.
                !(old.path == path && old.kind == .attributes)
            else {
                try database.run("DELETE FROM entry WHERE id = ?", [id])
                continue
            }
            let key = CacheKey(account, old.path.replacing(path, with: target), old.kind, old.variant)
            try database.run(
                "UPDATE entry SET path = ?, proof = ?, size = ? WHERE id = ?",
                [key.path.string, entry.proof(key), Self.size(key, entry, row.blob("data")), id]
            )
        }
    }

    /// Returns what paths below a folder are not before, and what they are before.
    static func bounds(below path: ItemPath) -> (first: String, end: String) {
        // After a slash, in the order of bytes, comes a zero.
        path.isRoot ? ("/", "0") : (path.string + "/", path.string + "0")
    }
}

extension CacheKey {
    /// Reads the key of a row; `nil` if it is damaged.
    init?(_ row: Row, _ account: CacheAccount) {
        guard let path = row.text("path").flatMap(ItemPath.init), let variant = row.text("variant"),
            let kind = row.int("kind").flatMap({ UInt8(exactly: $0) }).flatMap(CacheKind.init)
        else { return nil }
        self.init(account, path, kind, variant)
    }
}
