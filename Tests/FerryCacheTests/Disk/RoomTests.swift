import FerryCore
import FerryTestKit
import FerryTestServers
import Foundation
import GRDB
import NIOCore
import Synchronization
import Testing

@testable import FerryCache

@Suite("Room on the disk")
struct RoomTests {
    @Test("is never exceeded, not even while something is written")
    func limit() async throws {
        try await StoreFolder.with { folder in
            let limit: Int64 = 2_000_000
            let most = Mutex<Int64>(0)
            let store = folder.store(CacheLimits(memoryBytes: 0, diskBytes: limit)) { _ in
                let allocated = folder.allocated
                most.withLock { $0 = max($0, allocated) }
            }
            let cache = store.account(.test)
            for number in 0..<30 {
                let length = Int64(1 + number % 5 * 200_000)
                await DiskContentsTests.keep("\(number)", 1, [0..<length], length: length, in: cache)
                await cache.keep(Data(count: 90_000), .metadata, "/m\(number)", asked: cache.mark())
                #expect(await store.usage().diskBytes <= limit)
                #expect(folder.allocated <= limit)
            }
            #expect(most.withLock { $0 } <= limit)
            #expect(most.withLock { $0 } > limit / 2)
            #expect(await cache.contents("/28")?.isWhole == true)
            try VictimCheck.isInOrder(store, folder)
        }
    }

    @Test("is given back by the next process that may keep less, before it keeps anything", arguments: [0, 300_000])
    func lowered(limit: Int64) async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            for number in 0..<10 {
                await DiskContentsTests.keep("\(number)", 1, [0..<100_000], length: 100_000, in: cache)
            }
            let store = folder.store(CacheLimits(memoryBytes: 0, diskBytes: limit))
            _ = await store.account(.test).contents("/9")
            try await until("what is too much is removed") { folder.allocated <= limit }
            #expect(await store.usage().diskBytes <= limit)
        }
    }

    @Test("is taken by parts of what is larger than half of it, until these are")
    func partsOfLarge() async throws {
        try await StoreFolder.with { folder in
            let limits = CacheLimits(memoryBytes: 0, diskBytes: 2_000_000)
            let settings = CacheSettings(readAheadBytes: 256 << 10)
            let cached = CachedMemory(settings: settings, store: folder.store(limits))
            let data = Data.seeded(8_000_000)
            try await cached.memory.writeContents(path: "/a", contents: data)
            func part(_ start: Int) async throws -> Data {
                try await cached.files.contents(path: "/a", offset: Int64(start), length: 50_000)
            }
            for start in [4_000_000, 100_000, 7_950_000] {
                #expect(try await part(start) == data[start..<start + 50_000])
            }
            #expect(await cached.files.kept.keptRanges(of: "/a").reduce(0) { $0 + $1.count } == 150_000)
            let asked = cached.counted.count(of: .contentStream)
            for start in [4_000_000, 7_950_000] { #expect(try await part(start) == data[start..<start + 50_000]) }
            #expect(cached.counted.count(of: .contentStream) == asked)
            // All of it, part by part, is more than may be kept, and is right all the same.
            for start in stride(from: 0, to: 8_000_000, by: 50_000) {
                #expect(try await part(start) == data[start..<start + 50_000])
            }
            #expect(folder.allocated <= 2_000_000)
        }
    }

    @Test("is not taken by what is larger than half of it, nor what was kept of that")
    func tooLarge() async throws {
        try await StoreFolder.with { folder in
            let store = folder.store(CacheLimits(diskBytes: 1_000_000))
            let cache = store.account(.test)
            await cache.keep(Data([1]), .metadata, "/small", asked: cache.mark())
            #expect(await cache.writer("/f", version: CacheVersion(1), length: 600_000, asked: cache.mark()) == nil)
            let writer = await cache.writer("/f", version: CacheVersion(1), length: nil, asked: cache.mark())
            for start in stride(from: Int64(0), to: 12_000_000, by: 500_000) {
                await writer?.write(ByteBuffer(repeating: 7, count: 500_000), at: start)
            }
            await writer?.finish(length: 12_000_000)
            #expect(await cache.contents("/f") == nil)
            #expect(folder.files.isEmpty)
            #expect(await cache.value(.metadata, "/small", as: Data.self) != nil)
        }
    }

    @Test("is made by what was used least recently, which other processes know too")
    func leastRecentlyUsed() async throws {
        try await StoreFolder.with { folder in
            let store = folder.store(CacheLimits(memoryBytes: 0, diskBytes: 1_000_000))
            let cache = store.account(.test)
            for number in 0..<4 {
                await DiskContentsTests.keep("\(number)", 1, [0..<200_000], length: 200_000, in: cache)
            }
            _ = await cache.contents("/0")
            await cache.revalidated(.contents, "/1")
            await store.flush()
            let other = folder.store(CacheLimits(memoryBytes: 0, diskBytes: 1_000_000)).account(.test)
            for number in 4..<6 {
                await DiskContentsTests.keep("\(number)", 1, [0..<200_000], length: 200_000, in: other)
            }
            var left: [String] = []
            for entry in await cache.entriesNow() { left.append(entry.path.string) }
            #expect(left == ["/0", "/1", "/4", "/5"])
        }
    }

    @Test("is made at once when the limit is lowered, and given back to the disk")
    func lowered() async throws {
        try await StoreFolder.with { folder in
            let store = folder.store(CacheLimits(memoryBytes: 0))
            let cache = store.account(.test)
            for number in 0..<200 {
                await cache.keep(Data(count: 20_000), .metadata, "/m\(number)", asked: cache.mark())
            }
            await DiskContentsTests.keep("f", 1, [0..<900_000], length: 900_000, in: cache)
            #expect(await store.usage().diskBytes > 4_000_000)
            await store.setLimits(CacheLimits(memoryBytes: 0, diskBytes: 1_000_000))
            #expect(await store.usage().diskBytes <= 1_000_000)
            #expect(await cache.contents("/f")?.isWhole == true)
            let pages = try #require(
                store.disk?.perform { index in
                    try index.pool.read { try Int64.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
                }
            )
            #expect(pages * 4096 < 1_500_000)
        }
    }

    @Test("costs as much to make as what goes, however much stays", arguments: [20, 2000])
    func cost(kept: Int) async throws {
        try await StoreFolder.with { folder in
            let statements = Mutex<[String]>([])
            let size = 2000
            let store = folder.store(CacheLimits(memoryBytes: 0)) { statement in
                statements.withLock { $0.append(statement) }
            }
            let cache = store.account(.test)
            for number in 0..<kept {
                await cache.keep(Data(count: size), .metadata, "/m\(number)", asked: cache.mark())
            }
            let index = try #require(store.disk?.perform { $0 })
            let bytes = try await index.pool.read { try index.bytes($0) }
            let each = bytes / Int64(kept)
            statements.withLock { $0 = [] }
            try await index.pool.write { _ = try index.makeRoom(for: 0, limit: bytes - 10 * each, $0) }
            let left = try await index.pool.read { try $0.number("SELECT count(*) FROM entry") }
            // Statements that tidy up meanwhile don't count.
            let made = statements.withLock { $0 }.filter { sql in
                ["SELECT name FROM doomed", "DELETE FROM doomed"].allSatisfy { !sql.hasPrefix($0) }
                    && !sql.contains("'swept'")
            }
            #expect(try #require(left) <= Int64(kept) - 10)
            #expect(try #require(left) >= Int64(kept) - 12)
            #expect(made.count < 150)
            // None of them reads a whole table.
            for sql in Set(made) where sql.hasPrefix("SELECT id, file FROM entry") || sql.hasPrefix("DELETE") {
                let plan = try await index.pool.write { database in
                    try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql.replacing("?", with: "1"))").compactMap {
                        $0.text("detail")
                    }
                }
                #expect(plan.allSatisfy { !$0.contains("SCAN") || $0.contains("USING INDEX") }, "\(sql): \(plan)")
                #expect(plan.allSatisfy { !$0.contains("TEMP B-TREE") }, "\(sql): \(plan)")
            }
        }
    }

    @Test("is not looked for when a store is opened: that takes the same statements, however much is kept")
    func opening() async throws {
        try await StoreFolder.with { folder in
            var texts: [Set<String>] = []
            for entries in [10, 3000] {
                let cache = folder.store(CacheLimits(memoryBytes: 0)).account(.test)
                for number in 0..<entries {
                    await cache.keep(Data([1]), .metadata, "/\(entries)/\(number)", asked: cache.mark())
                }
                // Each by its text: how many connections say it hangs on how busy the machine is.
                let statements = Mutex<Set<String>>([])
                let opened = folder.store(CacheLimits(memoryBytes: 0)) { statement in
                    // Statements that tidy up meanwhile don't count.
                    if statement.hasPrefix("PRAGMA") || statement.contains("'index'") {
                        statements.withLock { _ = $0.insert(statement) }
                    }
                }
                #expect(await opened.account(.test).value(.metadata, "/10/3", as: Data.self) != nil)
                texts.append(statements.withLock { $0 })
            }
            #expect(texts[0] == texts[1])
        }
    }
}
