import FerryCore
import Foundation
import GRDB

/// The entries of the index, for whoever looks after it.
extension DiskIndex {
    /// The accounts that something is kept for.
    func keptAccounts() throws -> [(account: CacheAccount, number: Int64)] {
        try pool.read { database in
            try database.rows(
                """
                SELECT id, type, user, base FROM account
                WHERE EXISTS (SELECT 1 FROM total WHERE total.account = account.id AND count > 0)
                """
            ).compactMap { row in
                guard let id = row.int("id"), let type = row.text("type"), let user = row.text("user"),
                    let base = row.text("base")
                else { return nil }
                return (CacheAccount(type: type, user: user, baseURL: base), id)
            }
        }
    }

    /// Bytes by account and kind, and in all.
    func usage() throws -> (parts: [CacheUsage.Part], bytes: Int64) {
        let accounts = try keptAccounts().sorted { $0.account < $1.account }
        return try pool.read { database in
            let parts = try accounts.flatMap { account, number in
                try database.rows(
                    "SELECT kind, count, bytes FROM total WHERE account = ? AND count > 0 ORDER BY kind",
                    [number]
                ).compactMap { row -> CacheUsage.Part? in
                    guard let kind = row.int("kind").flatMap({ UInt8(exactly: $0) }).flatMap(CacheKind.init),
                        let count = row.int("count"), let bytes = row.int("bytes")
                    else { return nil }
                    return CacheUsage.Part(account: account, kind: kind, count: Int(count), bytes: bytes)
                }
            }
            return (parts, try bytes(database))
        }
    }

    /// Forgets what is too much.
    func shrink(to limit: Int64) throws {
        // A process that has nothing to write needn't wait for one that writes.
        guard try pool.read({ try bytes($0) }) > limit else { return }
        try pool.write { _ = try makeRoom(for: 0, limit: limit, $0) }
    }

    /// Entries in their order, some at a time.
    ///
    /// - Parameters:
    ///   - account: The account that they are kept for; `nil` for all.
    ///   - path: An item; it and all below it show.
    ///   - kinds: Of what kinds.
    ///   - last: The entry before; `nil` to begin.
    /// - Returns: No entries at the end.
    /// - Throws: `DatabaseError`.
    func entries(
        of account: CacheAccount?,
        below path: ItemPath,
        kinds: Set<CacheKind>,
        after last: CacheEntry?
    ) throws -> [CacheEntry] {
        let accounts = try keptAccounts().sorted { $0.account < $1.account }
        for (candidate, number) in accounts where account == nil || candidate == account {
            if let last, candidate < last.account { continue }
            let page = try entries(
                candidate,
                number,
                below: path,
                kinds: kinds,
                after: last?.account == candidate ? last : nil
            )
            if !page.isEmpty { return page }
        }
        return []
    }

    private func entries(
        _ account: CacheAccount,
        _ number: Int64,
        below path: ItemPath,
        kinds: Set<CacheKind>,
        after last: CacheEntry?
    ) throws -> [CacheEntry] {
        let among = kinds.map { String($0.rawValue) }.sorted().joined(separator: ", ")
        let (first, end) = Self.bounds(below: path)
        var position = last.map { ($0.path.string, Int64($0.kind.rawValue), $0.variant) } ?? (path.string, -1, "")
        while true {
            let rows = try pool.read { [position] database in
                try database.rows(
                    """
                    SELECT \(EntryRow.columns), path, kind, variant, size,
                        (SELECT kept FROM file WHERE file.id = entry.file) AS kept,
                        (SELECT length FROM file WHERE file.id = entry.file) AS whole
                    FROM entry WHERE account = ?1 AND (path, kind, variant) > (?2, ?3, ?4) AND path < ?5
                        AND (path = ?6 OR path >= ?7) AND kind IN (\(among))
                    ORDER BY path, kind, variant LIMIT 256
                    """,
                    [number, position.0, position.1, position.2, end, path.string, first]
                )
            }
            let entries = rows.compactMap { row in
                CacheKey(row, account).flatMap { key in EntryRow(row, key).map { CacheEntry(key, $0, row) } }
            }
            guard entries.isEmpty, let row = rows.last else { return entries }
            // All of them are damaged: on to the next.
            guard let text = row.text("path"), let kind = row.int("kind"), let variant = row.text("variant") else {
                throw DamagedIndex()
            }
            position = (text, kind, variant)
        }
    }
}

extension CacheEntry {
    fileprivate init(_ key: CacheKey, _ entry: EntryRow, _ row: Row) {
        let kept = key.kind == .contents ? row.int("kept") : nil
        self.init(
            account: key.account,
            path: key.path,
            kind: key.kind,
            variant: key.variant,
            eTag: entry.version.eTag,
            size: entry.version.size ?? (kept == nil ? nil : row.int("whole")),
            modifiedDate: entry.version.modified.map { Date(timeIntervalSinceReferenceDate: $0) },
            bytes: kept ?? entry.count,
            date: Date(timeIntervalSinceReferenceDate: entry.date),
            isWhole: kept.map { $0 == row.int("whole") } ?? true
        )
    }
}

extension DiskLevel {
    /// The path of a file that holds an item's whole contents, all of which are read and compared with their checksums.
    func wholeFile(_ key: CacheKey) -> String? {
        perform { index -> String? in
            guard let found = try index.contents(key), let length = found.file.length, found.file.isWhole,
                let content = ContentFile.open(found.file.id, hash: found.file.hash, in: index.folder.files),
                content.length == length, try index.hash(of: found.file.id, content, length: length) != nil
            else { return nil }
            for hash in [found.file.hash, nil] {
                let name = ContentFile.name(found.file.id, hash: hash)
                let path = ContentFile.path(name, in: index.folder.files)
                if access(path, R_OK) == 0 { return path }
            }
            return nil
        } ?? nil
    }
}
