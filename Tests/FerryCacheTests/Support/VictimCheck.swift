import FerryCore
import Foundation
import GRDB
import NIOCore
import Testing

@testable import FerryCache
@testable import FerryCacheVictim

/// Looks at all that victims can have kept: it is right, or it isn't there.
enum VictimCheck {
    /// The findings.
    struct Found: Sendable {
        var values = 0
        var listings = 0
        var contents = 0
        var wrong: [String] = []
    }

    static func everything(in store: CacheStore) async -> Found {
        var found = Found()
        for account in VictimBytes.accounts {
            let cache = store.account(account)
            for folder in VictimBytes.folders {
                guard let kept = await cache.value(.listing, folder, as: [FileObject].self) else { continue }
                found.listings += 1
                let version = Int(kept.version.eTag ?? "") ?? -1
                if kept.value != VictimBytes.items(folder, version, account) { found.wrong.append("\(folder)") }
            }
            for path in VictimBytes.files {
                if let kept = await cache.value(.metadata, path, as: Data.self) {
                    found.values += 1
                    let version = Int(kept.version.eTag ?? "") ?? -1
                    if kept.value != VictimBytes.value(path, version, account) { found.wrong.append("\(path)") }
                }
                guard let kept = await cache.contents(path) else { continue }
                let version = Int(kept.version.eTag ?? "") ?? -1
                for range in kept.ranges {
                    for start in stride(from: range.lowerBound, to: range.upperBound, by: 256 << 10) {
                        let part = start..<min(start + 256 << 10, range.upperBound)
                        guard let bytes = await kept.read(part) else { continue }
                        found.contents += 1
                        if Array(bytes.readableBytesView) != VictimBytes.bytes(path, version, account, part) {
                            found.wrong.append("\(path) \(part)")
                        }
                    }
                }
            }
        }
        return found
    }

    /// Requires that the totals are what there is, and that the files are those of the index.
    static func isInOrder(_ store: CacheStore, _ folder: StoreFolder) throws {
        let index = try #require(store.disk?.perform { $0 })
        try index.removeDoomed()
        for _ in 0..<256 { try index.sweep() }
        let (names, sums) = try index.pool.read { database in
            let names = try database.rows("SELECT id, hash FROM file").compactMap { row in
                row.int("id").map { ContentFile.name($0, hash: row.blob("hash")) }
            }
            let sums = try [
                "SELECT value FROM state WHERE name = 'bytes'",
                "SELECT (SELECT ifnull(sum(size), 0) FROM entry) + (SELECT ifnull(sum(bytes), 0) FROM file)",
                "SELECT ifnull(sum(count), 0) FROM total", "SELECT count(*) FROM entry",
                "SELECT count(*) FROM file",
                "SELECT count(*) FROM file WHERE refs = (SELECT count(*) FROM entry WHERE file = file.id) AND refs > 0",
                "SELECT count(*) FROM piece",
                "SELECT count(*) FROM piece WHERE file IN (SELECT id FROM file)",
            ].map { try database.number($0) ?? -1 }
            return (names, sums)
        }
        #expect(sums[0] == sums[1])
        #expect(sums[2] == sums[3])
        #expect(sums[4] == sums[5])
        #expect(sums[6] == sums[7])
        // A file that is whole may still have its first name.
        let known = Set(names + names.map { String($0.suffix(16)) })
        #expect(folder.files.allSatisfy { known.contains(URL(filePath: $0).lastPathComponent) })
    }
}
