// `stat` belongs to whichever of these is loaded first.
import CDispatch
import CoreFoundation
import FerryCore
import Foundation
import Testing

@testable import FerryCache

@Suite("Looking after a store")
struct ManagementTests {
    private static let other = CacheAccount(type: "Test", user: "other", baseURL: "http://h")

    private func filled(_ store: CacheStore) async {
        for account in [CacheAccount.test, Self.other] {
            let cache = store.account(account)
            await cache.keep([FileObject](), .listing, "/d", version: CacheVersion(1), asked: cache.mark())
            await cache.keep(Data(count: 100), .thumbnail, "/d/a", variant: "64", asked: cache.mark())
            await cache.keep(Data(count: 100), .thumbnail, "/d/a", variant: "128", asked: cache.mark())
            await cache.keep(Data(count: 100), .metadata, "/e", asked: cache.mark())
            await DiskContentsTests.keep("f", 1, [0..<5000], length: 5000, in: cache)
            await DiskContentsTests.keep("g", 1, [0..<10, 20..<30], length: 5000, in: cache)
        }
    }

    private func with(_ body: (CacheStore) async throws -> Void) async throws {
        try await StoreFolder.with { folder in
            for store in [folder.store(), CacheStore(at: nil)] {
                await filled(store)
                try await body(store)
            }
        }
    }

    @Test("shows what is kept, in order, by account and kind")
    func entries() async throws {
        try await with { store in
            #expect(await store.accounts() == [Self.other, .test])
            let entries = await store.account(.test).entriesNow()
            #expect(entries.map(\.path) == ["/d", "/d/a", "/d/a", "/e", "/f", "/g"])
            #expect(entries.map(\.kind) == [.listing, .thumbnail, .thumbnail, .metadata, .contents, .contents])
            #expect(entries.map(\.variant) == ["", "128", "64", "", "", ""])
            #expect(entries.map(\.isWhole) == [true, true, true, true, true, false])
            #expect(entries[0].eTag == "1")
            var all = 0
            for await entry in store.entries() { all += entry.path.isRoot ? 0 : 1 }
            #expect(all == 12)
            var offline: [ItemPath] = []
            for await entry in store.account(.test).offlineContents() { offline.append(entry.path) }
            #expect(offline == ["/f", "/g"])
            #expect(await store.account(.test).keptRanges(of: "/g") == [0..<10, 20..<30])
            #expect(await store.account(.test).entriesNow(below: "/d").count == 3)
        }
    }

    @Test("counts bytes by account and kind")
    func usage() async throws {
        try await with { store in
            let usage = await store.usage()
            #expect(
                usage.parts.map(\.account) == Array(repeating: Self.other, count: 4) + Array(repeating: .test, count: 4)
            )
            #expect(usage.parts.prefix(4).map(\.kind) == [.listing, .contents, .thumbnail, .metadata])
            #expect(usage.parts.prefix(4).map(\.count) == [1, 2, 2, 1])
            #expect(usage.bytes(of: .contents) >= 2 * 5020)
            #expect(usage.bytes(of: .test) >= 5020 + 300)
            #expect(usage.bytes(of: .quota) == 0)
        }
    }

    @Test("removes one item, one kind, one folder, one account, all")
    func removing() async throws {
        try await with { store in
            let cache = store.account(.test)
            await cache.removeItem("/d/a", kinds: [.metadata])
            #expect(await cache.entriesNow().count == 6)
            await cache.removeItem("/d/a", kinds: [.thumbnail])
            #expect(await cache.entriesNow().map(\.path) == ["/d", "/e", "/f", "/g"])
            await cache.removeFolder("/d")
            #expect(await cache.entriesNow().map(\.path) == ["/e", "/f", "/g"])
            await cache.removeAll(kinds: [.contents])
            #expect(await cache.entriesNow().map(\.path) == ["/e"])
            await cache.removeAll()
            #expect(await cache.entriesNow().isEmpty)
            #expect(await store.accounts() == [Self.other])
            #expect(await store.account(Self.other).entriesNow().count == 6)
            await store.removeAll()
            #expect(await store.accounts().isEmpty)
            #expect(await store.usage().parts.isEmpty)
        }
    }

    @Test("shows many entries page by page")
    func pages() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            for number in 0..<600 { await cache.keep(Data(), .metadata, "/\(number)", asked: cache.mark()) }
            let entries = await cache.entriesNow()
            #expect(Set(entries.map(\.path)).count == 600)
            #expect(entries.count == 600)
        }
    }

    @Test("finds its standard folder as the specification demands")
    func standardFolder() {
        #if !canImport(Darwin)
        #expect(CacheStore.standardDirectory(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/ferry")
        #expect(CacheStore.standardDirectory(["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache/ferry")
        #expect(CacheStore.standardDirectory(["HOME": "/h"]) == "/h/.cache/ferry")
        #endif
    }

    @Test("lets nobody else look into the folder")
    func permissions() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            await DiskContentsTests.keep("f", 1, [0..<5000], length: 5000, in: cache)
            let names = try #require(FileManager.default.enumerator(atPath: folder.path)).allObjects as? [String]
            for name in try #require(names) {
                var status = stat()
                #expect(stat(folder.path + "/" + name, &status) == 0)
                #expect(status.st_mode & 0o077 == 0, "\(name)")
            }
        }
    }
}
