import FerryCore
import Foundation
import Synchronization
import Testing

@testable import FerryCache

@Suite("Folders of more items than memory keeps")
struct LargeListingTests {
    private static let count = 30_000

    private static func items(_ numbers: some Sequence<Int>) -> [FileObject] {
        numbers.map { number in
            FileObject(
                name: "file \(number)",
                in: "/d",
                type: number.isMultiple(of: 1_000) ? .directory : .file,
                size: Int64(number),
                modifiedDate: Date(timeIntervalSince1970: Double(number) + 0.25),
                eTag: "\"\(number)\"",
                contentType: number.isMultiple(of: 2) ? "text/plain" : "image/png"
            )
        }
    }

    @Test("are packed as they come, and come back as they were")
    func packing() throws {
        let items = Self.items(0..<Self.count)
        var gatherer = ItemGatherer(room: 0)
        for start in stride(from: 0, to: items.count, by: 700) {
            try gatherer.append(Array(items[start..<min(start + 700, items.count)]))
        }
        guard case .packed(let packed) = gatherer.finish() else {
            Issue.record("it is not packed")
            return
        }
        #expect(packed.staysWhenFolderMoves)
        #expect(try packed.bytes.count < ItemCoder.encode(items).count / 2)
        #expect(ItemCoder.decode(packed.bytes, in: "/d") == items)
        // Cut, changed or longer, it is none.
        for length in [1, 2, 100, packed.bytes.count - 1] {
            #expect(ItemCoder.decode(packed.bytes.prefix(length), in: "/d") == nil)
        }
        var changed = packed.bytes
        changed[changed.count / 2] ^= 1
        #expect(ItemCoder.decode(changed, in: "/d") == nil)
        #expect(ItemCoder.decode(packed.bytes + [0], in: "/d") == nil)
    }

    @Test(
        "are held as they are where memory keeps them, and while they are few",
        arguments: [(1 << 30, 30_000), (0, 500)]
    )
    func unpacked(room: Int, count: Int) throws {
        let items = Self.items(0..<count)
        var gatherer = ItemGatherer(room: room)
        try gatherer.append(items)
        guard case .items(let held) = gatherer.finish() else {
            Issue.record("it is packed")
            return
        }
        #expect(held == items)
    }

    @Test("are kept on the disk for who is offline, and show what has gone")
    func keeping() async throws {
        try await StoreFolder.with { folder in
            let base = LongFolder(Self.items(0..<Self.count))
            func opened() -> (files: CachedFileProvider<LongFolder>, cache: AccountCache) {
                let store = folder.store(CacheLimits(memoryBytes: 0))
                return (CachedFileProvider(base, store: store, account: .test), store.account(.test))
            }
            let (files, cache) = opened()
            #expect(try await files.contentsOfDirectory(path: "/d") == base.items)
            #expect(try await opened().files.withCaching(.onlyIfCached).contentsOfDirectory(path: "/d") == base.items)
            // Of what has gone nothing is kept any more; the rest stays.
            for number in [1, Self.count - 1] {
                let version = CacheVersion(eTag: "\"\(number)\"")
                await cache.keep(Data([7]), .metadata, "/d/file \(number)", version: version, asked: cache.mark())
            }
            base.items.remove(at: 1)
            let fresh = try await files.withCaching(.doNotReturnCachedResult).contentsOfDirectory(path: "/d")
            #expect(fresh.count == Self.count - 1)
            let (offline, kept) = opened()
            #expect(try await offline.withCaching(.onlyIfCached).contentsOfDirectory(path: "/d") == fresh)
            #expect(await kept.value(.metadata, "/d/file 1", as: Data.self) == nil)
            #expect(await kept.value(.metadata, "/d/file \(Self.count - 1)", as: Data.self)?.value == Data([7]))
        }
    }

    @Test("are held for those who join early, and let go page by page when they are many")
    func sharing() async throws {
        let pages = SharedPages(executor: nil, source: Self.source(pages: 50)) { _ in }
        var count = 0
        while let page = try await pages.next(0) {
            count += page.count
            if count == 10_000 { #expect(pages.join(isLateAllowed: true) == 1) }
            if count == 25_000 { #expect(pages.join(isLateAllowed: true) == nil) }
        }
        #expect(count == 50_000)
        var other = 0
        while let page = try await pages.next(1) { other += page.count }
        #expect(other == 50_000)
    }

    /// A thousand items a page.
    private static func source(pages: Int) -> SharedPages.Source {
        let numbers = Counter()
        return {
            let number = await numbers.next()
            return number < pages ? items((number * 1_000)..<((number + 1) * 1_000)) : nil
        }
    }
}

/// A storage of one folder.
private final class LongFolder: FileProviderBasic {
    static let type = "long"

    private let held: Mutex<[FileObject]>

    init(_ items: [FileObject]) {
        held = Mutex(items)
    }

    var items: [FileObject] {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }

    var baseURL: URL? { nil }
    var credential: FileProviderCredential? { nil }
    var capabilities: FileProviderCapabilities { FileProviderCapabilities() }
    var environment: FileProviderEnvironment { FileProviderEnvironment() }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing.paged { [self] (start: Int?) in
            let (all, start) = (items, start ?? 0)
            let end = min(start + 500, all.count)
            return (Array(all[start..<end]), end < all.count ? end : nil)
        }
    }

    func attributesOfItem(path: ItemPath) async throws -> FileObject { throw CocoaError.noSuchItem(path) }
    func storageProperties() async throws -> VolumeObject { VolumeObject() }
}

private actor Counter {
    private var number = -1

    func next() -> Int {
        number += 1
        return number
    }
}
