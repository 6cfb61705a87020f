import FerryCore
import FerryTestKit
import Foundation
import GRDB
import NIOCore
import Testing

@testable import FerryCache

@Suite("A store that is damaged")
struct StoreDamageTests {
    private static let limit: Int64 = 3_000_000

    @Test("shows right bytes or none, and works on")
    func damaged() async throws {
        var seen = 0
        for part in 0..<8 {
            try await StoreFolder.with { folder in
                let ending = try await VictimProcess.run(folder, seed: 50 + part, bytes: Self.limit, steps: 100)
                #expect(ending.words == "done 0\n")
                for round in 0..<Sweep.count(25) { seen += try await damage(folder, part: part, round: round) }
            }
        }
        #expect(seen > 0)
    }

    /// Damages a copy of a store, and looks at what it shows.
    ///
    /// - Returns: The number of things that it still shows.
    private func damage(_ folder: StoreFolder, part: Int, round: Int) async throws -> Int {
        var seen = 0
        try await StoreFolder.with { copy in
            try FileManager.default.removeItem(atPath: copy.path)
            try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
            var numbers = Numbers(seed: Sweep.firstSeed &+ UInt64(part * 1000 + round))
            for _ in 0...numbers.next(4) { try Damage.cause(in: copy, &numbers) }
            let store = copy.store(CacheLimits(memoryBytes: 0, diskBytes: Self.limit))
            let found = await VictimCheck.everything(in: store)
            #expect(found.wrong.isEmpty, "part \(part) round \(round)")
            seen = found.values + found.listings + found.contents
            // The damage is found once; then the store works again.
            let cache = store.account(.test)
            for _ in 0..<3 {
                await cache.keep(Data([1]), .metadata, "/new", asked: cache.mark())
                await DiskContentsTests.keep("new", 1, [0..<300_000], length: 300_000, in: cache)
            }
            #expect(await cache.value(.metadata, "/new", as: Data.self)?.value == Data([1]))
            #expect(await cache.contents("/new")?.isWhole == true)
            #expect(await VictimCheck.everything(in: store).wrong.isEmpty)
        }
        return seen
    }

    @Test("has bytes again once they were fetched again")
    func mended() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            for (length, end) in [(900_000, 900_000), (900_000, 800_000)] as [(Int64, Int64)] {
                await cache.remove("/f", below: false)
                await DiskContentsTests.keep("f", 1, [0..<end], length: length, in: cache)
                let file = try #require(folder.files.first)
                try Damage.flip(file, at: 300_000)
                var kept = try #require(await cache.contents("/f"))
                #expect(await kept.read(262_144..<524_288) == nil)
                await DiskContentsTests.keep("f", 1, [0..<end], length: length, in: cache)
                kept = try #require(await cache.contents("/f"))
                #expect(kept.ranges == [0..<end])
                #expect(await DiskContentsTests.isRight("f", 1, kept))
                #expect(await cache.contentsURL(of: "/f") != nil || end < length)
            }
        }
    }

    @Test(
        "shows nothing of contents of which the index is wrong, and has them again once they were fetched again",
        arguments: [
            "UPDATE piece SET start = start + 1 WHERE start > 0", "UPDATE file SET length = length - 100000",
            "UPDATE file SET length = length + 100000", "DELETE FROM piece WHERE start > 0",
        ]
    )
    func wrongIndex(damage: String) async throws {
        try await StoreFolder.with { folder in
            let store = folder.store()
            let cache = store.account(.test)
            let version = CacheVersion(eTag: "1", size: 600_000)
            func keep() async throws {
                let mark = await cache.mark()
                let writer = try #require(await cache.writer("/f", version: version, length: 600_000, asked: mark))
                await writer.write(ByteBuffer(repeating: 7, count: 600_000), at: 0)
                await writer.finish()
            }
            try await keep()
            #expect(await cache.contents("/f")?.isWhole == true)
            let isDone: Void? = store.disk?.perform { index in try index.pool.write { try $0.execute(sql: damage) } }
            #expect(isDone != nil)
            if let kept = await cache.contents("/f") {
                #expect(kept.length == 600_000, "a file that seems shorter or longer is none")
                #expect(await kept.read(0..<600_000) == nil)
            }
            try await keep()
            let kept = try #require(await cache.contents("/f"))
            #expect(await kept.read(0..<600_000)?.readableBytes == 600_000)
        }
    }

    @Test("is read past, also where the index can't learn of it", .timeLimit(.minutes(30)))
    func unteachable() async throws {
        try await StoreFolder.with { folder in
            let cached = CachedMemory(store: folder.store())
            let data = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 100) })
            try await cached.memory.writeContents(path: "/f", contents: data)
            #expect(try await cached.files.contents(path: "/f") == data)
            try Damage.flip(try #require(folder.files.first), at: 300_000)
            // As if the disk were full: the index tells what it knows, and learns nothing more.
            let isDone: Void? = cached.files.kept.store.disk?.perform { index in
                try index.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
            }
            #expect(isDone != nil)
            #expect(try await cached.files.contents(path: "/f") == data)
            await #expect(throws: URLError.self) {
                try await cached.files.withCaching(.onlyIfCached).contents(path: "/f")
            }
        }
    }

    @Test("whose whole file is changed has no file to give")
    func changedFile() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            await DiskContentsTests.keep("f", 1, [0..<300_000], length: 300_000, in: cache)
            let url = try #require(await cache.contentsURL(of: "/f"))
            try Damage.flip(url.path(percentEncoded: false), at: 5)
            #expect(await cache.contentsURL(of: "/f") == nil)
            #expect(await cache.contents("/f") == nil)
        }
    }

    @Test("is made anew in another's place, also for those that have it open")
    func madeAnew() async throws {
        try await StoreFolder.with { folder in
            let (one, two) = (folder.store().account(.test), folder.store().account(.test))
            await one.keep(Data([1]), .metadata, "/a", asked: one.mark())
            #expect(await two.value(.metadata, "/a", as: Data.self) != nil)
            let mark = await two.mark()
            await one.store.removeAll()
            #expect(await two.value(.metadata, "/a", as: Data.self) == nil)
            await two.keep(Data([2]), .metadata, "/a", asked: mark)
            #expect(await one.value(.metadata, "/a", as: Data.self) == nil)
            await two.keep(Data([3]), .metadata, "/a", asked: two.mark())
            #expect(await one.value(.metadata, "/a", as: Data.self)?.value == Data([3]))
            // Somebody removes the folder by hand.
            try FileManager.default.removeItem(atPath: folder.path)
            await two.keep(Data([4]), .metadata, "/b", asked: two.mark())
            await two.keep(Data([4]), .metadata, "/b", asked: two.mark())
            #expect(await folder.store().account(.test).value(.metadata, "/b", as: Data.self)?.value == Data([4]))
        }
    }
}

/// The kinds of damage that can happen to files.
enum Damage {
    static func cause(in folder: StoreFolder, _ numbers: inout Numbers) throws {
        let index = [folder.index, folder.index + "-wal"]
        let files = folder.files.sorted()
        let path = numbers.next(3) == 0 && !files.isEmpty ? files[numbers.next(files.count)] : index[numbers.next(2)]
        guard var data = FileManager.default.contents(atPath: path), !data.isEmpty else { return }
        switch numbers.next(5) {
        case 0:
            for _ in 0...numbers.next(20) { data[numbers.next(data.count)] ^= UInt8(1 + numbers.next(255)) }
        case 1: data = data.prefix(numbers.next(data.count))
        case 2:
            let pages = data.count / 4096
            guard pages > 1 else { return }
            let (first, second) = (numbers.next(pages) * 4096, numbers.next(pages) * 4096)
            let page = Data(data[first..<(first + 4096)])
            data.replaceSubrange(first..<(first + 4096), with: Data(data[second..<(second + 4096)]))
            data.replaceSubrange(second..<(second + 4096), with: page)
        case 3:
            let start = numbers.next(data.count)
            let end = min(data.count, start + 1 + numbers.next(5000))
            data.replaceSubrange(start..<end, with: Data(count: end - start))
        default:
            guard files.count > 1, let other = FileManager.default.contents(atPath: files[0]) else { return }
            try data.write(to: URL(filePath: files[0]))
            data = other
        }
        try data.write(to: URL(filePath: path))
    }

    /// Changes one byte of a file.
    static func flip(_ path: String, at offset: Int) throws {
        var data = try Data(contentsOf: URL(filePath: path))
        data[offset] ^= 1
        // In place: it may be open.
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: data)
        try file.close()
    }
}
