import FerryCore
import Foundation
import GRDB

extension DiskIndex {
    /// Returns what is kept of folders' items.
    ///
    /// It costs what is kept of them; what is kept further below is stepped over.
    ///
    /// - Parameter folders: Keys of the folders.
    /// - Returns: For each, the items of which, or below which, something is kept.
    /// - Throws: `DatabaseError`.
    func children(of folders: [CacheKey]) throws -> [[ItemPath: KeptChild]] {
        try pool.read { database in
            try folders.map { try children(of: $0.path, of: $0.account, database) }
        }
    }

    private func children(
        of folder: ItemPath,
        of account: CacheAccount,
        _ database: Database
    ) throws -> [ItemPath: KeptChild] {
        var children: [ItemPath: KeptChild] = [:]
        guard let number = try number(of: account, database) else { return children }
        let (first, end) = Self.bounds(below: folder)
        var position: String? = first
        while let start = position {
            position = nil
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT path, kind, etag, length, modified, checksums FROM entry
                        WHERE account = ? AND path >= ? AND path < ? AND path > '/' ORDER BY path
                        """
                ),
                arguments: [number, start, end]
            )
            // One after the other, for as long as they are items of the folder itself.
            while position == nil, let row = try rows.next() {
                guard let path = row.text("path").flatMap(ItemPath.init), let child = path.child(below: folder) else {
                    throw DamagedIndex()
                }
                guard path == child else {
                    children.note(child, nil)
                    position = Self.bounds(below: child).end
                    continue
                }
                guard let kind = row.int("kind").flatMap({ UInt8(exactly: $0) }).flatMap(CacheKind.init) else {
                    throw DamagedIndex()
                }
                children.note(child, KeptChild.Part(kind: kind, version: CacheVersion(row)))
            }
        }
        return children
    }
}

extension CacheVersion {
    /// The version in a row.
    init(_ row: Row) {
        self.init(
            eTag: row.text("etag"),
            size: row.int("length"),
            modified: row.double("modified"),
            checksums: row.text("checksums")
        )
    }
}

extension ItemPath {
    /// The item of a folder that this is, or that this is below.
    func child(below folder: ItemPath) -> ItemPath? {
        components.dropFirst(folder.components.count).first.map { folder.appending($0) }
    }
}
