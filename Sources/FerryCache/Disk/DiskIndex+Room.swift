import Foundation
import GRDB

/// The least recently used entries go first; the cost is that of the entries to be removed.
extension DiskIndex {
    /// Bytes that count for the limit.
    func bytes(_ database: Database) throws -> Int64 {
        guard let bytes = try database.number("SELECT value FROM state WHERE name = 'bytes'"), bytes >= 0 else {
            throw DamagedIndex()
        }
        return bytes
    }

    /// Forgets what was used least recently, until there is room.
    ///
    /// - Parameters:
    ///   - needed: Bytes that will come.
    ///   - limit: Bytes in all.
    ///   - file: Is not forgotten.
    ///   - database: A connection, in a transaction.
    /// - Returns: `true` if there is room.
    /// - Throws: `DatabaseError`.
    func makeRoom(for needed: Int64, limit: Int64, sparing file: Int64? = nil, _ database: Database) throws -> Bool {
        guard needed <= limit else { return false }
        var bytes = try bytes(database)
        guard bytes + needed > limit else { return true }
        while bytes + needed > limit {
            let rows = try database.rows("SELECT id, file FROM entry ORDER BY used LIMIT 8")
                .filter { file == nil || $0.int("file") != file }
            guard !rows.isEmpty else { break }
            for row in rows where bytes + needed > limit {
                guard let id = row.int("id") else { throw DamagedIndex() }
                try database.run("DELETE FROM entry WHERE id = ?", [id])
                bytes = try self.bytes(database)
            }
        }
        try giveBack(limit, database)
        return bytes + needed <= limit
    }

    /// Gives pages that are no longer used back to the disk, if there are many.
    private func giveBack(_ limit: Int64, _ database: Database) throws {
        let free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        guard free > max(16, min(1024, limit / 4096 / 32)) else { return }
        try database.execute(sql: "PRAGMA incremental_vacuum(\(free))")
    }

    /// Notes what was used lately, in its order, and what the storage has confirmed.
    func note(_ uses: [(key: CacheKey, date: Date?)], _ database: Database) throws {
        guard !uses.isEmpty else { return }
        var used = try database.number("SELECT max(used) FROM entry") ?? 0
        for (key, date) in uses {
            guard var (entry, _) = try entry(key, database) else { continue }
            used += 1
            try database.run("UPDATE entry SET used = ? WHERE id = ?", [used, entry.id])
            guard let date else { continue }
            entry.date = date.timeIntervalSinceReferenceDate
            try database.run(
                "UPDATE entry SET date = ?, proof = ? WHERE id = ?",
                [entry.date, entry.proof(key), entry.id]
            )
        }
    }

    /// Removes the files that nobody needs any more, those of killed processes too.
    func removeDoomed() throws {
        let names = try pool.read { database in
            try database.rows("SELECT name FROM doomed LIMIT 1000").compactMap { $0.text("name") }
        }
        guard !names.isEmpty else { return }
        let removed = names.filter { ContentFile.remove($0, in: folder.files) }
        try pool.write { database in
            for name in removed { try database.run("DELETE FROM doomed WHERE name = ?", [name]) }
        }
    }

    /// Compares one of the folders of files with the index, the next one each time, and removes files that it doesn't know:
    /// a process can be killed between making a file and seeing that it is no longer needed.
    func sweep() throws {
        let number = try pool.write { database in
            try database.run("UPDATE state SET value = (value + 1) & 255 WHERE name = 'swept'")
            return try database.number("SELECT value FROM state WHERE name = 'swept'") ?? 0
        }
        let name = String(ContentFile.name(number).suffix(2))
        // The folder comes first: files that are made later are not in the list, and all in it had rows.
        // Where no file has ended so, there is no such folder; what else keeps it from being read is tried in a later turn.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder.files)/\(name)") else {
            return
        }
        let strays = try pool.read { database in
            try names.filter { name in
                guard let id = ContentFile.id(name) else { return true }
                return try database.number("SELECT id FROM file WHERE id = ?", [id]) == nil
            }
        }
        for name in strays { _ = ContentFile.remove(name, in: folder.files) }
    }
}
