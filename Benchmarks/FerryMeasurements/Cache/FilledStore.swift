import FerryCache
import FerryCore
import Foundation
import GRDB

/// A store with so many entries that keeping them one by one would take minutes.
struct FilledStore {
    let folder: String

    /// One entry, which the store has kept itself, and another one, which nobody has asked for yet.
    let storage = SampleFileProvider(items: SampleItems.remote.items(count: 2, in: .root))

    /// The store through a provider, as another process would open it.
    func files(limits: CacheLimits = CacheLimits()) -> CachedFileProvider<SampleFileProvider> {
        CachedFileProvider(storage, store: CacheStore(at: URL(filePath: folder), limits: limits))
    }

    /// Keeps one entry, and then adds rows like its own to the index, whose triggers count them.
    func fill(count: Int) async throws {
        _ = try await files().attributesOfItem(path: storage.items[0].path)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        guard let name = names.first(where: { $0.hasSuffix("index.sqlite") }) else {
            throw CocoaError(.fileNoSuchFile)
        }
        let index = try DatabaseQueue(path: "\(folder)/\(name)")
        try await index.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA cache_size = -262144")
            let others = try database.columns(in: "entry").map(\.name).filter { !["id", "path", "used"].contains($0) }
                .joined(separator: ", ")
            try database.execute(
                sql: """
                    INSERT INTO entry (path, used, \(others))
                        WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number LIMIT ?)
                        SELECT path || '-' || value, used + value, \(others) FROM number, (SELECT * FROM entry LIMIT 1)
                    """,
                arguments: [count - 1]
            )
            _ = try database.checkpoint(.truncate)
        }
        try index.close()
    }
}
