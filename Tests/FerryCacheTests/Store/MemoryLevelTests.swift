import FerryCore
import FerryTestServers
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerryCache

@Suite("What is kept in memory")
struct MemoryLevelTests {
    private let account = CacheAccount(type: "Test", user: "u", baseURL: "http://h")

    private func store(bytes: Int = 1 << 20) -> AccountCache {
        CacheStore(at: nil, limits: CacheLimits(memoryBytes: bytes)).account(account)
    }

    @Test("comes back as it was, until it is removed")
    func comesBack() async {
        let cache = store()
        let items = [FileObject(name: "a", in: "/d", type: .file, size: 3)]
        await cache.keep(items, .listing, "/d", version: CacheVersion(eTag: "1"), asked: cache.mark())
        let kept = await cache.value(.listing, "/d", as: [FileObject].self)
        #expect(kept?.value == items)
        #expect(kept?.version.eTag == "1")
        await cache.remove("/", below: true)
        #expect(await cache.value(.listing, "/d", as: [FileObject].self) == nil)
        #expect(cache.store.state.withLock { $0.level.bytes } == 0)
    }

    @Test("is not kept if it was asked for before a change that concerns it")
    func staleAnswers() async {
        let cache = store()
        let mark = await cache.mark()
        await cache.remove("/d/a", below: false)
        for path in ["/d", "/d/a", "/d/b", "/e"] as [ItemPath] {
            await cache.keep([FileObject](), .listing, path, asked: mark)
        }
        #expect(await cache.value(.listing, "/d", as: [FileObject].self) == nil)
        #expect(await cache.value(.listing, "/d/a", as: [FileObject].self) == nil)
        #expect(await cache.value(.listing, "/d/b", as: [FileObject].self) != nil)
        #expect(await cache.value(.listing, "/e", as: [FileObject].self) != nil)
    }

    @Test("is the later answer, whichever came first")
    func laterAnswer() async {
        let cache = store()
        let (first, second) = (await cache.mark(), await cache.mark())
        await cache.keep(Data("new".utf8), .metadata, "/a", asked: second)
        await cache.keep(Data("old".utf8), .metadata, "/a", asked: first)
        #expect(await cache.value(.metadata, "/a", as: Data.self)?.value == Data("new".utf8))
    }

    @Test("never takes more than the limit, and what was used least recently goes first")
    func limit() async {
        let cache = store(bytes: 10_000)
        for number in 0..<20 {
            await cache.keep(Data(count: 936), .metadata, "/\(number)", asked: cache.mark())
            #expect(cache.store.state.withLock { $0.level.bytes } <= 10_000)
            _ = await cache.value(.metadata, "/0", as: Data.self)
        }
        #expect(await cache.value(.metadata, "/0", as: Data.self) != nil)
        #expect(await cache.value(.metadata, "/10", as: Data.self) == nil)
        #expect(await cache.value(.metadata, "/11", as: Data.self) != nil)
        cache.store.trimMemory()
        #expect(cache.store.state.withLock { $0.level.bytes } == 0)
    }

    @Test("is emptied when the system is short of memory")
    func pressure() async {
        let isShort = Mutex(false)
        let pressure = MemoryPressure(every: .zero) { isShort.withLock { $0 } }
        let store = CacheStore(at: nil, limits: CacheLimits(), pressure: pressure, trace: nil)
        let cache = store.account(CacheAccount(type: "a", user: "b", baseURL: "c"))
        await cache.keep(Data("1".utf8), .metadata, "/1", asked: cache.mark())
        #expect(store.state.withLock { $0.level.count } == 1)
        isShort.withLock { $0 = true }
        await cache.keep(Data("2".utf8), .metadata, "/2", asked: cache.mark())
        #expect(store.state.withLock { $0.level.count } == 0)
    }

    @Test("is emptied when the system is short of memory, also while nobody keeps anything")
    func idlePressure() async throws {
        let isShort = Mutex(false)
        let pressure = MemoryPressure(every: .zero, idlePause: .seconds(3_600)) { isShort.withLock { $0 } }
        let clock = InstantClock()
        let store = CacheStore(at: nil, limits: CacheLimits(), pressure: pressure, clock: clock, trace: nil)
        let cache = store.account(CacheAccount(type: "a", user: "b", baseURL: "c"))
        // Once more after it has been empty.
        for round in 1...2 {
            isShort.withLock { $0 = false }
            await cache.keep(Data("\(round)".utf8), .metadata, "/1", asked: cache.mark())
            #expect(store.state.withLock { $0.level.count } == 1)
            isShort.withLock { $0 = true }
            try await until("the memory is empty") { store.state.withLock { $0.level.count } == 0 }
        }
    }

    @Test("keeps no store alive that nobody uses")
    func unused() async throws {
        let pressure = MemoryPressure(every: .zero, idlePause: .milliseconds(5)) { false }
        var store: CacheStore? = CacheStore(at: nil, limits: CacheLimits(), pressure: pressure, trace: nil)
        weak let weakly = store
        if let cache = store?.account(CacheAccount(type: "a", user: "b", baseURL: "c")) {
            await cache.keep(Data("1".utf8), .metadata, "/1", asked: cache.mark())
        }
        store = nil
        try await until("the store is gone") { weakly == nil }
    }

    #if os(Linux)
    @Test(
        "of the system shows in what the kernel says",
        arguments: ["some avg10=10.00 avg60=1.00\nfull avg10=0.00": true, "some avg10=9.99 total=7": false, "": false]
    )
    func stalls(text: String, isShort: Bool) {
        #expect(MemoryPressure.isShort(text) == isShort)
    }
    #endif

    @Test("of contents are the bytes that came, in any order")
    func contents() async throws {
        let cache = store()
        let version = CacheVersion(eTag: "1", size: 10)
        let writer = try #require(await cache.writer("/f", version: version, length: 10, asked: cache.mark()))
        await writer.write(ByteBuffer(string: "56789"), at: 5)
        await writer.write(ByteBuffer(string: "123456"), at: 1)
        await writer.finish()
        let kept = try #require(await cache.contents("/f"))
        #expect(kept.ranges == [1..<10])
        #expect(await kept.read(1..<10) == ByteBuffer(string: "123456789"))
        #expect(await kept.read(0..<10) == nil)
        let more = try #require(await cache.writer("/f", version: version, length: 10, asked: cache.mark()))
        await more.write(ByteBuffer(string: "0"), at: 0)
        await more.finish()
        #expect(await cache.contents("/f")?.isWhole == true)
        let other = CacheVersion(eTag: "2", size: 10)
        let next = try #require(await cache.writer("/f", version: other, length: 10, asked: cache.mark()))
        await next.write(ByteBuffer(string: "x"), at: 3)
        await next.finish()
        #expect(await cache.contents("/f")?.ranges == [3..<4])
    }
}
