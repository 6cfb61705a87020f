import FerryCore
import Foundation
import GRDB

/// A row of the table of entries, whose checksum was right.
struct EntryRow: Sendable {
    let id: Int64
    var version: CacheVersion
    /// Seconds since 2001.
    var date: Double
    /// Indicates whether it stays right when the folder of its item moves.
    let isMovable: Bool
    /// The file, if it is in one.
    var file: Int64?
    /// Bytes of the value; 0 for contents.
    let count: Int64
    /// The value's checksum; 0 for contents.
    let sum: Int64
}

extension EntryRow {
    static let columns = "id, date, etag, length, modified, checksums, movable, file, count, sum, proof"

    /// Reads a row; `nil` if it is damaged.
    ///
    /// - Parameters:
    ///   - row: With ``columns``.
    ///   - key: The key that it must have.
    init?(_ row: Row, _ key: CacheKey) {
        guard let id = row.int("id"), let date = row.double("date"), let count = row.int("count"),
            let sum = row.int("sum"), let movable = row.int("movable"), let proof = row.int("proof")
        else { return nil }
        self.init(
            id: id,
            version: CacheVersion(row),
            date: date,
            isMovable: movable == 1,
            file: row.int("file"),
            count: count,
            sum: sum
        )
        guard proof == self.proof(key), count >= 0 else { return nil }
    }

    /// The checksum of all that says what the bytes are: of another item's row, it is another.
    func proof(_ key: CacheKey) -> Int64 {
        var writer = ByteWriter()
        for text in [key.account.key, key.path.string, key.variant, version.eTag ?? "", version.checksums ?? ""] {
            writer.text(text)
        }
        writer.fixed(key.kind.rawValue)
        writer.fixed(UInt8(version.eTag == nil ? 0 : 1) | (isMovable ? 2 : 0) | (version.checksums == nil ? 0 : 4))
        for number in [version.size ?? -1, file ?? -1, count, sum] { writer.fixed(number) }
        writer.fixed((version.modified ?? .nan).bitPattern)
        writer.fixed(date.bitPattern)
        return writer.bytes.withUnsafeBytes { Checksum.of($0, seed: 1) }
    }
}
