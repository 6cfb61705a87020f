import FerryCore
import Foundation
import NIOCore
import Testing

@testable import FerryCache

@Suite("Contents on the disk")
struct DiskContentsTests {
    private static let length: Int64 = 1_000_003

    /// Keeps parts of a content.
    static func keep(
        _ name: String,
        _ version: Int,
        _ ranges: [Range<Int64>],
        chunk: Int64 = 50_000,
        length: Int64? = length,
        in cache: AccountCache
    ) async {
        let path = ItemPath.root.appending(name)
        let writer = await cache.writer(path, version: CacheVersion(version), length: length, asked: cache.mark())
        for range in ranges {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: Int64.Stride(chunk)) {
                let part = start..<min(start + chunk, range.upperBound)
                await writer?.write(ByteBuffer(bytes: bytes(name, version, part)), at: start)
            }
        }
        await writer?.finish()
    }

    /// Returns whether all that is said to be kept is right.
    static func isRight(_ name: String, _ version: Int, _ kept: KeptContents) async -> Bool {
        for range in kept.ranges {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 300_000) {
                let part = start..<min(start + 300_000, range.upperBound)
                guard await kept.read(part) == ByteBuffer(bytes: bytes(name, version, part)) else { return false }
            }
        }
        return true
    }

    @Test("come back whole in another process", arguments: [0, 1, 262_144, 262_145, 1_000_003, 9_000_000])
    func whole(length: Int64) async throws {
        try await StoreFolder.with { folder in
            await Self.keep("f", 1, [0..<length], length: length, in: folder.store().account(.test))
            let other = folder.store().account(.test)
            let kept = try #require(await other.contents("/f"))
            #expect(kept.isWhole)
            #expect(kept.version == CacheVersion(1))
            #expect(await Self.isRight("f", 1, kept))
            #expect(await kept.read(length..<(length + 1)) == nil)
            let url = try #require(await other.contentsURL(of: "/f"))
            #expect(try Data(contentsOf: url) == Data(bytes("f", 1, 0..<length)))
            #expect(other.store.disk?.replacements == 0)
        }
    }

    @Test("come back in parts, to which others are added until all is there")
    func sparse() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            await Self.keep("f", 1, [10..<20, 300_000..<600_000], in: cache)
            var kept = try #require(await folder.store().account(.test).contents("/f"))
            #expect(kept.ranges == [10..<20, 300_000..<600_000])
            #expect(await Self.isRight("f", 1, kept))
            #expect(await kept.read(5..<15) == nil)
            #expect(await cache.contentsURL(of: "/f") == nil)
            await Self.keep("f", 1, [500_000..<Self.length], in: folder.store().account(.test))
            kept = try #require(await cache.contents("/f"))
            #expect(kept.ranges == [10..<20, 300_000..<Self.length])
            #expect(await Self.isRight("f", 1, kept))
            await Self.keep("f", 1, [0..<300_001], in: cache)
            kept = try #require(await cache.contents("/f"))
            #expect(kept.isWhole)
            #expect(await Self.isRight("f", 1, kept))
            #expect(await cache.contentsURL(of: "/f") != nil)
            #expect(folder.files.count == 1)
        }
    }

    @Test("of another version replace what is there")
    func versions() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            await Self.keep("f", 1, [0..<Self.length], in: cache)
            let old = try #require(await cache.contents("/f"))
            await Self.keep("f", 2, [5..<10], in: cache)
            let kept = try #require(await cache.contents("/f"))
            #expect(kept.version == CacheVersion(2))
            #expect(kept.ranges == [5..<10])
            #expect(await Self.isRight("f", 2, kept))
            // A reader that still reads the old one gets its bytes, or none.
            let first = await old.read(0..<1000)
            #expect(first == nil || first == ByteBuffer(bytes: bytes("f", 1, 0..<1000)))
            #expect(folder.files.count == 1)
        }
    }

    @Test("are stored once if they are the same, also for different accounts")
    func sharing() async throws {
        try await StoreFolder.with { folder in
            let store = folder.store()
            let other = CacheAccount(type: "Test", user: "other", baseURL: "http://h")
            for (number, account) in [CacheAccount.test, other, .test].enumerated() {
                let path: ItemPath = "/copy \(number)"
                let cache = store.account(account)
                let writer = try #require(
                    await cache.writer(path, version: CacheVersion(number), length: 700_000, asked: cache.mark())
                )
                await writer.write(ByteBuffer(bytes: bytes("same", 1, 0..<700_000)), at: 0)
                await writer.finish()
            }
            #expect(folder.files.count == 1)
            #expect(await store.usage().diskBytes < 750_000)
            #expect(await store.usage().bytes(of: .contents) > 2_100_000)
            let kept = try #require(await store.account(other).contents("/copy 1"))
            #expect(await Self.isRight("same", 1, kept))
            await store.account(.test).remove("/", below: true)
            #expect(folder.files.count == 1)
            let left = try #require(await store.account(other).contents("/copy 1"))
            #expect(await Self.isRight("same", 1, left))
            await store.account(other).remove("/", below: true)
            #expect(folder.files.isEmpty)
            #expect(await store.usage().diskBytes == 0)
        }
    }

    @Test("move with their item, and are gone when it is removed")
    func moving() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            await Self.keep("f", 1, [0..<Self.length], in: cache)
            await cache.move("/f", to: "/g")
            #expect(await cache.contents("/f") == nil)
            let moved = try #require(await cache.contents("/g"))
            #expect(await Self.isRight("f", 1, moved))
            await cache.remove("/g", below: false)
            #expect(await cache.contents("/g") == nil)
            #expect(folder.files.isEmpty)
            #expect(await cache.store.usage().diskBytes == 0)
        }
    }

    @Test("that come while their item changes are not kept")
    func changedMeanwhile() async throws {
        try await StoreFolder.with { folder in
            let (one, two) = (folder.store().account(.test), folder.store().account(.test))
            let writer = try #require(
                await one.writer("/f", version: CacheVersion(1), length: nil, asked: one.mark())
            )
            for piece in 0..<10 {
                if piece == 5 { await two.remove("/f", below: false) }
                let start = Int64(piece) * 1_000_000
                await writer.write(ByteBuffer(bytes: bytes("f", 1, start..<(start + 1_000_000))), at: start)
            }
            await writer.finish(length: 10_000_000)
            #expect(await one.contents("/f") == nil)
            #expect(folder.files.isEmpty)
        }
    }

    @Test("whose length shows at the end are whole then")
    func lateLength() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            let writer = try #require(
                await cache.writer("/f", version: CacheVersion(1), length: nil, asked: cache.mark())
            )
            await writer.write(ByteBuffer(bytes: bytes("f", 1, 0..<1000)), at: 0)
            await writer.finish(length: 1000)
            #expect(await cache.contents("/f")?.isWhole == true)
        }
    }

    @Test("of a version that proves nothing are kept anew each time")
    func noProof() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            for range in [0..<10, 20..<30] as [Range<Int64>] {
                let writer = try #require(
                    await cache.writer("/f", version: CacheVersion(), length: 100, asked: cache.mark())
                )
                await writer.write(ByteBuffer(bytes: bytes("f", 1, range)), at: range.lowerBound)
                await writer.finish()
                #expect(await cache.contents("/f")?.ranges == [range])
            }
        }
    }
}
