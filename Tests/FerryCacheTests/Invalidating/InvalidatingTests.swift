import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryCache

@Suite("What is changed through the cache")
struct InvalidatingTests {
    private static let changes: [(String, @Sendable (CachedFileProvider<CachedMemory.Base>) async throws -> Void)] = [
        ("a folder", { try await $0.create(folder: "new", at: "/d") }),
        ("folders", { try await $0.create(folder: "y", at: "/d/x", creatingParents: true) }),
        ("a file", { try await $0.writeContents(path: "/d/a", contents: Data("new".utf8), overwrite: true) }),
        (
            "a stream",
            {
                let chunks = DataChunks(Data("new".utf8))
                try await $0.writeStream(path: "/d/new", contents: chunks, options: WriteOptions())
            }
        ),
        ("a copy", { try await $0.copyItem(path: "/d/a", to: "/d/copy") }),
        ("a move", { try await $0.moveItem(path: "/d/a", to: "/d/moved") }),
        ("a move away", { try await $0.moveItem(path: "/d/a", to: "/e/a") }),
        ("a merge", { try await $0.moveItem(path: "/e", to: "/d", overwrite: true) }),
        ("a removal", { try await $0.removeItem(path: "/d/a") }),
        ("a removal of all", { try await $0.removeItem(path: "/d") }),
        ("a link", { try await $0.create(symbolicLink: "/d/link", withDestination: "a") }),
        (
            "a date",
            {
                let date = Date(timeIntervalSinceReferenceDate: 1)
                try await $0.setAttributes(ItemAttributes(modifiedDate: date), path: "/d/a")
            }
        ),
        ("several removals", { _ = try await $0.removeItems(["/d/a", "/e"]) }),
        (
            "several moves",
            { _ = try await $0.moveItems([ItemMove(path: "/d/a", to: "/e/a"), ItemMove(path: "/e", to: "/f")]) }
        ),
        (
            "several dates",
            {
                let date = Date(timeIntervalSinceReferenceDate: 1)
                let change = ItemAttributesChange(path: "/d/a", attributes: ItemAttributes(modifiedDate: date))
                _ = try await $0.setAttributes([change])
            }
        ),
        ("the trash", { try await $0.trashItem(path: "/d/a") }),
        (
            "an undone removal",
            {
                let item = try await $0.trashItem(path: "/d/a")
                _ = try await $0.contentsOfDirectory(path: "/d")
                try await $0.restoreFromTrash(item, to: nil)
            }
        ),
        (
            "an earlier version",
            {
                try await $0.base.base.writeContents(path: "/d/a", contents: Data("later".utf8), overwrite: true)
                let version = try await $0.versions(of: "/d/a").last
                if let version { try await $0.restore(version, of: "/d/a") }
            }
        ),
        (
            "parts",
            {
                let write = try await $0.beginPartialWrite(path: "/d/p", length: 3, options: WriteOptions())
                let chunks = DataChunks(Data("new".utf8))
                try await $0.writePart(of: write, offset: 0, contents: chunks, length: 3) { _ in }
                _ = try await $0.contentsOfDirectory(path: "/d")
                try await $0.finishPartialWrite(write, options: WriteOptions())
            }
        ),
        (
            "what is addressed by identifier",
            {
                let id = try await $0.attributesOfItem(path: "/d/a").id ?? ""
                try await $0.writeContents(path: ItemPath(identifier: id), contents: Data("new".utf8), overwrite: true)
            }
        ),
    ]

    @Test("shows at once", arguments: 0..<20)
    func shows(change: Int) async throws {
        let cached = try await Self.filled()
        try await Self.changes[change].1(cached.files)
        try await cached.expectTruth(Self.changes[change].0)
    }

    @Test("shows at once, also where its answer was lost", arguments: 0..<20)
    func lost(change: Int) async throws {
        let cached = try await Self.filled()
        let methods = FileProviderCall.Method.allCases.filter(\.changesStorage)
        cached.counted.plan = FaultPlan(methods.map { .init($0, fault: .lostAnswer(URLError(.timedOut))) })
        do {
            try await Self.changes[change].1(cached.files)
        } catch is URLError {
            // So it was planned.
        }
        cached.counted.plan = FaultPlan()
        try await cached.expectTruth(Self.changes[change].0)
    }

    @Test("is not what somebody keeps who has asked meanwhile")
    func meanwhile() async throws {
        let cached = try await Self.filled()
        let files = cached.files
        let reads = FaultPlan.Fault.meanwhile {
            _ = try? await files.contentsOfDirectory(path: "/d")
            _ = try? await files.attributesOfItem(path: "/d/a")
            _ = try? await files.contents(path: "/d/a")
        }
        cached.counted.plan = FaultPlan([.init(.writeContents, .removeItem, .moveItem, fault: reads)])
        try await files.writeContents(path: "/d/a", contents: Data("new".utf8), overwrite: true)
        try await cached.expectTruth("a write")
        try await files.moveItem(path: "/d/a", to: "/d/b")
        try await cached.expectTruth("a move")
        try await files.removeItem(path: "/d/b")
        try await cached.expectTruth("a removal")
    }

    @Test("takes along what is kept of a folder that moves")
    func moves() async throws {
        try await StoreFolder.with { folder in
            let cached = CachedMemory(store: folder.store())
            try await cached.memory.create(folder: "d", at: "/")
            try await cached.write("/d/a", "one")
            _ = try await cached.names("/d")
            _ = try await cached.read("/d/a")
            try await cached.files.moveItem(path: "/d", to: "/e")
            #expect(try await cached.read("/e/a", .onlyIfCached) == "one")
            #expect(try await cached.names("/e", .onlyIfCached) == ["a"])
            let asked = cached.counted.count(of: .contentStream)
            #expect(try await cached.read("/e/a") == "one")
            #expect(cached.counted.count(of: .contentStream) == asked)
            await #expect(throws: URLError.self) { try await cached.read("/d/a", .onlyIfCached) }
        }
    }

    @Test(
        "or beside it: a fresh listing forgets what no listing was kept of, and keeps what is as it was",
        arguments: [true, false]
    )
    func freshListingAlone(onDisk: Bool) async throws {
        try await StoreFolder.with { folder in
            let cached = CachedMemory(store: onDisk ? folder.store() : CacheStore(at: nil))
            for name in ["a", "b", "c", "f-g"] { try await cached.write("/\(name)", name) }
            for name in ["f", "g"] {
                try await cached.memory.create(folder: name, at: "/")
                try await cached.write("/\(name)/x", "x")
            }
            for path in ["/a", "/b", "/c", "/f-g", "/f/x", "/g/x"] as [ItemPath] { _ = try await cached.read(path) }
            try await cached.memory.removeItem(path: "/b")
            try await cached.write("/c", "other")
            try await cached.memory.removeItem(path: "/f")
            try await cached.write("/f", "a file by now")
            _ = try await cached.names("/", .validate)
            for path in ["/a", "/f-g", "/g/x"] as [ItemPath] {
                #expect(try await cached.read(path, .onlyIfCached) == (path == "/g/x" ? "x" : path.lastName))
            }
            for path in ["/b", "/c", "/f/x", "/f"] as [ItemPath] {
                await #expect(throws: URLError.self, "\(path)") { try await cached.read(path, .onlyIfCached) }
            }
        }
    }

    @Test("or beside it: a fresh listing forgets what has gone, and what has another version")
    func freshListing() async throws {
        let cached = CachedMemory()
        for name in ["a", "b", "c"] { try await cached.write("/\(name)", name) }
        try await cached.memory.create(folder: "f", at: "/")
        try await cached.write("/f/x", "x")
        _ = try await cached.names()
        for path in ["/a", "/b", "/c", "/f/x"] as [ItemPath] { _ = try await cached.read(path) }
        try await cached.memory.removeItem(path: "/a")
        try await cached.memory.removeItem(path: "/f")
        try await cached.write("/b", "new")
        #expect(try await cached.names("/", .validate) == ["b", "c"])
        #expect(try await cached.read("/c", .onlyIfCached) == "c")
        for path in ["/a", "/b", "/f/x"] as [ItemPath] {
            await #expect(throws: URLError.self) { try await cached.read(path, .onlyIfCached) }
        }
    }

    @Test("however much is kept below an item, those that come after it are seen, too")
    func neighbours() async throws {
        try await StoreFolder.with { folder in
            let cached = CachedMemory(store: folder.store(CacheLimits(memoryBytes: 0)))
            // In the order of bytes, `f`, what is in it and `f0` follow each other.
            for name in ["f", "f0", "g"] { try await cached.memory.create(folder: name, at: "/") }
            for path in ["/f/x", "/f/y", "/f0/x", "/g/x", "/h", "/f1"] as [ItemPath] {
                try await cached.write(path, "x")
                _ = try await cached.read(path)
            }
            for path in ["/", "/f", "/f0", "/g"] as [ItemPath] { _ = try await cached.names(path) }
            for path in ["/f0", "/f1", "/g"] as [ItemPath] { try await cached.memory.removeItem(path: path) }
            #expect(try await cached.names("/", .validate) == ["f", "h"])
            for path in ["/f/x", "/f/y", "/h"] as [ItemPath] {
                #expect(try await cached.read(path, .onlyIfCached) == "x")
            }
            for path in ["/f0/x", "/f1", "/g/x"] as [ItemPath] {
                await #expect(throws: URLError.self, "\(path)") { try await cached.read(path, .onlyIfCached) }
            }
            for path in ["/f0", "/g"] as [ItemPath] {
                await #expect(throws: URLError.self, "\(path)") { try await cached.names(path, .onlyIfCached) }
            }
        }
    }

    @Test("or beside it, and the storage tells of it, is forgotten", arguments: [true, false])
    func told(isFar: Bool) async throws {
        let memory = MemoryFileProvider()
        try await memory.writeContents(path: "/a", contents: Data("one".utf8))
        let clock = SteppingClock()
        let store = CacheStore(at: nil)
        let account = CacheAccount(type: "t", user: "u", baseURL: "b")
        let files = CachedFileProvider(FarFileProvider(memory, isFar: isFar), store: store, account: account)
        _ = try await files.contentsOfDirectory(path: "/")
        try await files.startInvalidating(every: .seconds(1), clock: clock)
        #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a"])
        try await memory.writeContents(path: "/b", contents: Data())
        // It is told soon, or asked for when the time has come.
        while try await files.contentsOfDirectory(path: "/").count < 2 {
            clock.step()
            await Task.yield()
        }
        files.stopInvalidating()
    }

    @Test(
        "or beside it, and the storage reports a removal by the identifier alone, is forgotten, and what is left stays"
    )
    func removedIdentifier() async throws {
        let memory = MemoryFileProvider()
        for path in ["/a", "/b"] as [ItemPath] { try await memory.writeContents(path: path, contents: Data("x".utf8)) }
        let clock = SteppingClock()
        let far = FarFileProvider(memory, isFar: true, hidesRemovedPaths: true)
        let account = CacheAccount(type: "t", user: "u", baseURL: "b")
        let files = CachedFileProvider(far, store: CacheStore(at: nil), account: account)
        _ = try await files.contentsOfDirectory(path: "/")
        try await files.startInvalidating(every: .seconds(1), clock: clock)
        #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a", "b"])
        try await memory.removeItem(path: "/a")
        while try await files.contentsOfDirectory(path: "/").count > 1 {
            clock.step()
            await Task.yield()
        }
        #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["b"])
        files.stopInvalidating()
    }

    @Test("and by whichever spelling, where several lead to one item")
    func spellings() throws {
        var capabilities = FileProviderCapabilities()
        #expect(Spellings(capabilities) == nil)
        capabilities.isCaseSensitive = false
        let spellings = try #require(Spellings(capabilities))
        for path in ["/Docs", "/docs/A.txt", "/DOCS/b", "/other"] as [ItemPath] { spellings.note(path) }
        let effects = spellings.all(of: [.item("/docs/a.txt")])
        #expect(Set(effects) == [.item("/docs/a.txt"), .item("/docs/A.txt"), .appearance("/Docs/a.txt")])
        #expect(Set(spellings.all(of: [.item("/DOCS")])).isSuperset(of: [.item("/docs/A.txt"), .item("/DOCS/b")]))
        #expect(!spellings.all(of: [.item("/DOCS")]).contains(.item("/other")))
        // Where only accents can be written in two ways, what has none is not remembered, however much it is.
        capabilities.isCaseSensitive = true
        capabilities.distinguishesNormalizationForms = false
        let accents = try #require(Spellings(capabilities))
        for number in 0..<10_000 { accents.note(ItemPath.root.appending("a\(number)")) }
        accents.note("/cafe\u{301}")
        #expect(accents.all(of: [.item("/a5")]) == [.item("/a5")])
        #expect(accents.all(of: [.item("/caf\u{e9}")]).contains(.item("/cafe\u{301}")))
    }

    private static func filled() async throws -> CachedMemory {
        let cached = CachedMemory()
        for folder in ["d", "e"] { try await cached.memory.create(folder: folder, at: "/") }
        for path in ["/d/a", "/d/z", "/e/e"] as [ItemPath] { try await cached.write(path, "old \(path)") }
        try await cached.expectTruth("the beginning")
        return cached
    }
}

extension CachedMemory {
    /// Reads everything through the cache, and compares it with what is there; so it is also kept.
    fileprivate func expectTruth(_ what: String) async throws {
        try await expectKeptTruth(what)
        var open: [ItemPath] = ["/", "/d", "/e", "/d/x"]
        while let folder = open.popLast() {
            let truth = try? await memory.contentsOfDirectory(path: folder)
            let kept = try? await files.contentsOfDirectory(path: folder)
            #expect(kept == truth, "\(folder) after \(what)")
            for item in truth ?? [] {
                #expect(try await files.attributesOfItem(path: item.path).eTag == item.eTag, "\(item.path) \(what)")
                guard item.isRegularFile else { continue }
                let contents = try await memory.contents(path: item.path)
                #expect(try await files.contents(path: item.path) == contents, "\(item.path) after \(what)")
            }
        }
        #expect(try await files.storageProperties() == memory.storageProperties(), "the room after \(what)")
    }

    /// Expects kept answers to be right or missing, before the storage is asked, whose answers would correct them.
    private func expectKeptTruth(_ what: String) async throws {
        let offline = files.withCaching(.onlyIfCached)
        for folder in ["/", "/d", "/e", "/d/x"] as [ItemPath] {
            guard let kept = try? await offline.contentsOfDirectory(path: folder) else { continue }
            #expect(kept == (try? await memory.contentsOfDirectory(path: folder)), "\(folder) as kept after \(what)")
        }
        for path in ["/d/a", "/d/z", "/d/b", "/d/moved", "/d/copy", "/d/new", "/e/a"] as [ItemPath] {
            if let kept = try? await offline.attributesOfItem(path: path) {
                let truth = try? await memory.attributesOfItem(path: path)
                #expect(kept.eTag == truth?.eTag, "\(path) as kept after \(what)")
            }
            if let kept = try? await offline.contents(path: path) {
                #expect(kept == (try? await memory.contents(path: path)), "the content of \(path) after \(what)")
            }
        }
    }
}

/// Memory at the other end of a line, or not.
private struct FarFileProvider: FileProviderWrapper {
    let base: MemoryFileProvider
    let isFar: Bool
    let hidesRemovedPaths: Bool

    init(_ base: MemoryFileProvider, isFar: Bool, hidesRemovedPaths: Bool = false) {
        self.base = base
        self.isFar = isFar
        self.hidesRemovedPaths = hidesRemovedPaths
    }

    var baseURL: URL? { isFar ? URL(string: "https://far.test/") : nil }
}

extension FarFileProvider: FileProviderChangeTracking {
    func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
        let set = try await base.changes(since: anchor)
        guard hidesRemovedPaths else { return set }
        let changes = set.changes.map { change -> TrackedChange in
            guard case .removed(_, let id?) = change else { return change }
            return .removedItem(id: id)
        }
        return ChangeSet(changes: changes, anchor: set.anchor, hasMore: set.hasMore)
    }
}
extension FarFileProvider: FileProviderMonitor {}

/// A clock whose time comes when somebody says so.
private final class SteppingClock: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant

    private let steps = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func step() { steps.continuation.yield() }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        var iterator = steps.stream.makeAsyncIterator()
        _ = await iterator.next()
        try Task.checkCancellation()
    }
}
