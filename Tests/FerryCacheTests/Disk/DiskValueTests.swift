import FerryCore
import Foundation
import GRDB
import Synchronization
import Testing

@testable import FerryCache

@Suite("Values on the disk")
struct DiskValueTests {
    private static let items = (0..<50).map { number in
        FileObject(name: "\(number)", in: "/d", type: .file, size: Int64(number), eTag: "e\(number)")
    }

    @Test("come back in another process, small ones and large ones", arguments: [0, 1, 50, 5000])
    func comeBack(count: Int) async throws {
        try await StoreFolder.with { folder in
            let items = (0..<count).map { FileObject(name: "item \($0)", in: "/d", type: .file, eTag: "e\($0)") }
            let cache = folder.store().account(.test)
            await cache.keep(items, .listing, "/d", version: CacheVersion(7), asked: cache.mark())
            let other = folder.store().account(.test)
            let kept = await other.value(.listing, "/d", as: [FileObject].self)
            #expect(kept?.value == items)
            #expect(kept?.version == CacheVersion(7))
            #expect(kept?.level == .disk)
            #expect(await other.value(.listing, "/d", as: [FileObject].self)?.level == .memory)
            #expect(folder.files.count == (count > 1000 ? 1 : 0))
            #expect(cache.store.disk?.replacements == 0)
        }
    }

    @Test("of all kinds come back")
    func allKinds() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            let mark = await cache.mark()
            let item = FileObject(name: "a", in: "/d", type: .file, size: 9)
            let picture = Thumbnail(data: Data([1, 2, 3]), contentType: "image/png", width: 4)
            let properties = FileProperties([.init(.dimensions, .size(.init(width: 4, height: 3)))])
            let volume = VolumeObject(name: "v", totalCapacity: 10, availableCapacity: 3)
            await cache.keep(item, .attributes, "/d/a", asked: mark)
            await cache.keep(picture, .thumbnail, "/d/a", variant: "64", asked: mark)
            await cache.keep(picture, .thumbnail, "/d/a", variant: "128", asked: mark)
            await cache.keep(properties, .metadata, "/d/a", asked: mark)
            await cache.keep(volume, .quota, "/", asked: mark)
            let other = folder.store().account(.test)
            #expect(await other.variants(.thumbnail, "/d/a") == ["128", "64"])
            #expect(await other.value(.attributes, "/d/a", as: FileObject.self)?.value == item)
            #expect(await other.value(.thumbnail, "/d/a", variant: "64", as: Thumbnail.self)?.value == picture)
            #expect(await other.value(.metadata, "/d/a", as: FileProperties.self)?.value == properties)
            #expect(await other.value(.quota, "/", as: VolumeObject.self)?.value == volume)
        }
    }

    @Test("that come again as they were, or as long, cost few statements, and what was damaged is whole again")
    func again() async throws {
        try await StoreFolder.with { folder in
            let statements = Mutex(0)
            // No time passes: on a busy machine, too, what others have changed is not asked for each listing.
            let start = ContinuousClock.now
            let store = CacheStore(
                at: folder.path,
                limits: CacheLimits(memoryBytes: 0),
                uptime: { start },
                trace: { _ in statements.withLock { $0 += 1 } }
            )
            let cache = store.account(.test)
            let keepAll = { (tag: String) in
                let version = CacheVersion(eTag: tag)
                let folders = (0..<100).map { FileObject(name: "\($0)", in: "/", type: .directory) }
                await cache.keep(listing: .items(folders), of: "/", version: version, asked: cache.mark())
                for number in 0..<100 {
                    let items = [FileObject(name: "a", in: "/\(number)", type: .file, size: 9, eTag: tag)]
                    await cache.keep(listing: .items(items), of: "/\(number)", version: version, asked: cache.mark())
                }
            }
            await keepAll("e1")
            let index = try #require(store.disk?.perform { $0 })
            let bytes = try await index.pool.read { try index.bytes($0) }
            try await index.pool.write { try $0.run("UPDATE entry SET data = zeroblob(10) WHERE path = '/7'") }
            for tag in ["e1", "e2"] {
                statements.withLock { $0 = 0 }
                await keepAll(tag)
                // Each listing in a transaction of its own, as here: that, what is kept of its items, its row, the write.
                #expect(statements.withLock { $0 } <= 101 * 16)
                let other = folder.store().account(.test)
                for path in ["/7", "/8"] as [ItemPath] {
                    let kept = await other.value(.listing, path, as: [FileObject].self)
                    #expect(kept?.value.map(\.eTag) == [tag] && kept?.version.eTag == tag, "\(path)")
                }
                #expect(try await index.pool.read { try index.bytes($0) } == bytes)
                #expect(store.disk?.replacements == 0)
            }
        }
    }

    @Test("that come again as they were make room, too, where less may be kept than before")
    func lowerLimit() async throws {
        try await StoreFolder.with { folder in
            let items = (0..<50).map { FileObject(name: "item \($0)", in: "/", type: .file, eTag: "e\($0)") }
            let cache = folder.store(CacheLimits(memoryBytes: 0)).account(.test)
            for number in 0..<20 { await cache.keep(items, .listing, "/\(number)", asked: cache.mark()) }
            let index = try #require(cache.store.disk?.perform { $0 })
            let bytes = try await index.pool.read { try index.bytes($0) }
            var limits = CacheLimits(memoryBytes: 0)
            limits.diskBytes = bytes / 2
            let other = folder.store(limits).account(.test)
            await other.keep(items, .listing, "/7", asked: other.mark())
            #expect(try await index.pool.read { try index.bytes($0) } <= bytes / 2)
            #expect(await other.value(.listing, "/7", as: [FileObject].self)?.value.count == 50)
        }
    }

    @Test("of accounts that are easily confused never mix")
    func accounts() async throws {
        try await StoreFolder.with { folder in
            let accounts = [
                CacheAccount(type: "T", user: "u", baseURL: "http://h"),
                CacheAccount(type: "T", user: "u2", baseURL: "http://h"),
                CacheAccount(type: "T", user: "u", baseURL: "http://h/2"),
                CacheAccount(type: "T2", user: "u", baseURL: "http://h"),
                CacheAccount(type: "T", user: "u1:h", baseURL: "ttp://h"),
                CacheAccount(type: "T", user: "", baseURL: "uhttp://h"),
                CacheAccount(type: "T", user: "\u{E9}", baseURL: "http://h"),
                CacheAccount(type: "T", user: "e\u{301}", baseURL: "http://h"),
            ]
            let store = folder.store()
            for (number, account) in accounts.enumerated() {
                let cache = store.account(account)
                await cache.keep(Data([UInt8(number)]), .metadata, "/a", asked: cache.mark())
            }
            for store in [store, folder.store()] {
                for (number, account) in accounts.enumerated() {
                    let kept = await store.account(account).value(.metadata, "/a", as: Data.self)
                    #expect(kept?.value == Data([UInt8(number)]))
                }
            }
            await store.account(accounts[0]).removeAll()
            let left = await folder.store().accounts()
            #expect(left == accounts.dropFirst().sorted())
        }
    }

    @Test("are gone for all processes once one has removed them, and what was asked for before is not kept")
    func removal() async throws {
        try await StoreFolder.with { folder in
            let (one, two) = (folder.store().account(.test), folder.store().account(.test))
            for path in ["/", "/d", "/d/e", "/d/e/f", "/d2"] as [ItemPath] {
                await one.keep([FileObject](), .listing, path, asked: one.mark())
                #expect(await two.value(.listing, path, as: [FileObject].self) != nil)
            }
            let mark = await two.mark()
            await one.remove("/d", below: true)
            for path in ["/d", "/d/e", "/d/e/f"] as [ItemPath] {
                #expect(await two.value(.listing, path, as: [FileObject].self) == nil)
                await two.keep([FileObject](), .listing, path, asked: mark)
                #expect(await one.value(.listing, path, as: [FileObject].self) == nil)
                await two.keep([FileObject](), .listing, path, asked: two.mark())
                #expect(await one.value(.listing, path, as: [FileObject].self) != nil)
            }
            #expect(await one.value(.listing, "/d2", as: [FileObject].self) != nil)
            // The folder above showed what was removed.
            await two.keep(Self.items, .listing, "/", asked: mark)
            #expect(await two.value(.listing, "/", as: [FileObject].self)?.value == [])
        }
    }

    @Test("asked for before more changes than are remembered are not kept")
    func longAgo() async throws {
        try await StoreFolder.with { folder in
            let (one, two) = (folder.store().account(.test), folder.store().account(.test))
            let mark = await one.mark()
            for _ in 0..<(IndexSchema.changes + 300) { await two.remove("/x", below: false) }
            await one.keep(Data(), .metadata, "/y", asked: mark)
            #expect(await one.value(.metadata, "/y", as: Data.self) == nil)
            let changes = one.store.disk?.perform { index in
                try index.pool.read { try $0.number("SELECT count(*) FROM change") }
            }
            #expect((changes ?? nil) ?? .max <= IndexSchema.changes + 256)
        }
    }

    @Test("move with their folder, for all processes")
    func moving() async throws {
        try await StoreFolder.with { folder in
            let (one, two) = (folder.store().account(.test), folder.store().account(.test))
            let inner = [FileObject(name: "a", in: "/d/e", type: .file, size: 1)]
            await one.keep(inner, .listing, "/d/e", version: CacheVersion(1), asked: one.mark())
            await one.keep(Data([1]), .metadata, "/d/e/a", asked: one.mark())
            await one.keep(Data([2]), .metadata, "/n/e/a", asked: one.mark())
            await one.keep(Data([3]), .metadata, "/dd/a", asked: one.mark())
            await one.keep(FileObject(name: "d", in: "/", type: .directory), .attributes, "/d", asked: one.mark())
            let mark = await two.mark()
            await one.move("/d", to: "/n")
            let moved = await two.value(.listing, "/n/e", as: [FileObject].self)
            #expect(moved?.value == [FileObject(name: "a", in: "/n/e", type: .file, size: 1)])
            #expect(moved?.version == CacheVersion(1))
            #expect(await two.value(.metadata, "/n/e/a", as: Data.self)?.value == Data([1]))
            #expect(await two.value(.metadata, "/dd/a", as: Data.self)?.value == Data([3]))
            #expect(await two.value(.attributes, "/n", as: FileObject.self) == nil)
            for path in ["/d/e", "/d/e/a", "/d"] as [ItemPath] {
                #expect(await two.entriesNow(below: path).isEmpty)
                await two.keep(Data([9]), .metadata, path, asked: mark)
                #expect(await one.value(.metadata, path, as: Data.self) == nil)
            }
            #expect(one.store.disk?.replacements == 0)
        }
    }

    @Test("that were asked for earlier don't replace later ones")
    func order() async throws {
        try await StoreFolder.with { folder in
            // Nothing in memory: the disk alone must know.
            let cache = folder.store(CacheLimits(memoryBytes: 0)).account(.test)
            let (first, second) = (await cache.mark(), await cache.mark())
            await cache.keep(Data("new".utf8), .metadata, "/a", asked: second)
            await cache.keep(Data("old".utf8), .metadata, "/a", asked: first)
            #expect(await cache.value(.metadata, "/a", as: Data.self)?.value == Data("new".utf8))
        }
    }

    @Test("cost under 300 bytes an item in a listing")
    func listingSize() async throws {
        try await StoreFolder.with { folder in
            let items = (0..<10_000).map { number in
                FileObject(
                    name: "A photo of the holidays \(number).jpg",
                    in: "/Photos/2024",
                    type: .file,
                    size: Int64(number) * 1_234_567,
                    modifiedDate: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)),
                    creationDate: Date(timeIntervalSince1970: 1_600_000_000 + Double(number)),
                    id: "0000\(number)ocabcdefgh",
                    eTag: "\"0123456789abcdef0123456789abcd\(number)\"",
                    contentType: "image/jpeg"
                )
            }
            let cache = folder.store().account(.test)
            await cache.keep(items, .listing, "/Photos/2024", asked: cache.mark())
            await cache.store.flush()
            #expect(await cache.store.usage().diskBytes < 300 * 10_000)
            #expect(folder.allocated < 300 * 10_000)
        }
    }
}

extension AccountCache {
    /// All entries below a path.
    func entriesNow(below path: ItemPath = .root) async -> [CacheEntry] {
        var found: [CacheEntry] = []
        for await entry in entries(below: path) { found.append(entry) }
        return found
    }
}
