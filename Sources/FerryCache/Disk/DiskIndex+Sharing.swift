import Foundation
import GRDB
import NIOCore

/// Same content is stored once.
///
/// A whole content is found again by its length and XXH3, and then compared byte by byte: that is sure whatever the bytes
/// are, and costs a content that is new ten times less than SHA-256 would.
extension DiskIndex {
    /// All bytes of a content are there: it gets the name of its hash, or another file with the same bytes stands for it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - content: The same, opened.
    ///   - length: Bytes.
    ///   - hash: Of all bytes, if it was worked out.
    /// - Throws: `DatabaseError`.
    func complete(_ file: Int64, _ content: ContentFile, length: Int64, hash: Data?) throws {
        guard let hash = try hash ?? self.hash(of: file, content, length: length) else { return }
        let others = try pool.read { database in
            try database.rows(
                "SELECT id FROM file WHERE hash = ? AND length = ? AND id <> ? LIMIT 4",
                [hash, length, file]
            ).compactMap { $0.int("id") }
        }
        for other in others {
            guard let twin = ContentFile.open(other, hash: hash, in: folder.files),
                Self.isSame(content, twin, length: length), try share(file, with: other)
            else { continue }
            return try removeDoomed()
        }
        let isNamed = try pool.write { database in
            try database.run("UPDATE file SET hash = ? WHERE id = ? AND kept = length", [hash, file])
            return database.changesCount == 1
        }
        if isNamed { ContentFile.rename(file, hash: hash, in: folder.files) }
        try settleName(file, hash: hash)
    }

    /// Reads all pieces and compares their checksums.
    ///
    /// - Returns: The hash of all bytes; `nil` if some are not what they were.
    func hash(of file: Int64, _ content: ContentFile, length: Int64) throws -> Data? {
        let hash = StreamedChecksum()
        var position: Int64 = 0
        while position < length {
            let window = position..<min(length, position + 64 * Self.pieceLength)
            let pieces = try pool.read { try self.pieces(file, in: window, $0) }
            for piece in pieces where piece.range.lowerBound >= position {
                guard piece.range.lowerBound == position else { return nil }
                guard let bytes = content.read(piece.range),
                    Checksum.of(bytes, seed: Self.seed(file, piece.range.lowerBound)) == piece.sum
                else {
                    try damaged(file, at: piece.range.lowerBound)
                    return nil
                }
                hash.update(bytes)
                position = piece.range.upperBound
            }
            if position == window.lowerBound { return nil }
        }
        return position == length ? hash.digest : nil
    }

    private static func isSame(_ first: ContentFile, _ second: ContentFile, length: Int64) -> Bool {
        guard first.length == length, second.length == length else { return false }
        var position: Int64 = 0
        while position < length {
            let range = position..<min(length, position + 4 * pieceLength)
            guard let bytes = first.read(range), let others = second.read(range), bytes == others else { return false }
            position = range.upperBound
        }
        return true
    }

    /// Lets another file stand for one; `false` if the other is gone.
    private func share(_ file: Int64, with other: Int64) throws -> Bool {
        try pool.write { database in
            guard let row = try self.file(other, database), row.isWhole, row.hash != nil else { return false }
            let rows = try database.rows(
                """
                SELECT \(EntryRow.columns), path, kind, variant,
                    (SELECT key FROM account WHERE account.id = entry.account) AS key,
                    (SELECT type FROM account WHERE account.id = entry.account) AS type,
                    (SELECT user FROM account WHERE account.id = entry.account) AS user,
                    (SELECT base FROM account WHERE account.id = entry.account) AS base
                FROM entry WHERE file = ?
                """,
                [file]
            )
            for row in rows {
                guard let id = row.int("id") else { throw DamagedIndex() }
                guard let type = row.text("type"), let user = row.text("user"), let base = row.text("base"),
                    let key = CacheKey(row, CacheAccount(type: type, user: user, baseURL: base)),
                    var entry = EntryRow(row, key)
                else {
                    try database.run("DELETE FROM entry WHERE id = ?", [id])
                    continue
                }
                entry.file = other
                try database.run("UPDATE entry SET file = ?, proof = ? WHERE id = ?", [other, entry.proof(key), id])
            }
            return true
        }
    }

    /// A file that was forgotten while it got its name is removed under that name too.
    private func settleName(_ file: Int64, hash: Data) throws {
        let isKnown = try pool.read { try $0.number("SELECT 1 FROM file WHERE id = ?", [file]) != nil }
        guard !isKnown else { return }
        _ = ContentFile.remove(ContentFile.name(file, hash: hash), in: folder.files)
    }
}
