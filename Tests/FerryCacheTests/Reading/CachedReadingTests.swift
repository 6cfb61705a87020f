import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import NIOCore
import Testing

@testable import FerryCache

@Suite("What is kept")
struct CachedReadingTests {
    @Test("of listings, attributes and the room is the answer, until it is not wanted")
    func unasked() async throws {
        let cached = CachedMemory()
        for name in ["a", "b", "c", "d"] { try await cached.write("/\(name)", name) }
        #expect(try await cached.names() == ["a", "b", "c", "d"])
        let requests = cached.counted.calls.count
        try await cached.memory.removeItem(path: "/d")
        #expect(try await cached.names() == ["a", "b", "c", "d"])
        #expect(try await cached.files.attributesOfItem(path: "/a").size == 1)
        #expect(cached.counted.calls.count == requests)
        #expect(try await cached.names("/", .validate) == ["a", "b", "c"])
        #expect(try await cached.names("/", .onlyIfCached) == ["a", "b", "c"])
    }

    @Test("of contents is the answer when the storage says that it has the same, in the one question that there is")
    func validated() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        #expect(try await cached.read("/a") == "one")
        #expect(try await cached.read("/a") == "one")
        #expect(cached.counted.count(of: .contentStream) == 1)
        #expect(cached.counted.count(of: .changedContentStream) == 1)
        try await cached.write("/a", "two")
        #expect(try await cached.read("/a", .onlyIfCached) == "one")
        #expect(try await cached.read("/a") == "two")
        #expect(cached.counted.count(of: .contentStream) == 1)
        #expect(cached.counted.count(of: .changedContentStream) == 2)
        #expect(cached.counted.count(of: .attributesOfItem) == 0)
    }

    @Test("of contents in parts is given, and only the rest is asked for")
    func sparse() async throws {
        let cached = CachedMemory()
        let data = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0) })
        try await cached.memory.writeContents(path: "/a", contents: data)
        func part(_ range: Range<Int64>) async throws -> Data {
            try await cached.files.contents(path: "/a", offset: range.lowerBound, length: Int64(range.count))
        }
        #expect(try await part(100..<200) == data[100..<200])
        #expect(try await part(400..<500) == data[400..<500])
        #expect(cached.counted.count(of: .contentStream) == 2)
        #expect(try await part(150..<200) == data[150..<200])
        #expect(cached.counted.count(of: .contentStream) == 2)
        // From what is kept, a gap, what is kept, and a gap.
        #expect(try await part(150..<600) == data[150..<600])
        #expect(cached.counted.count(of: .contentStream) == 4)
        #expect(await cached.files.kept.keptRanges(of: "/a") == [100..<600])
        #expect(try await cached.files.contents(path: "/a") == data)
        #expect(try await cached.files.withCaching(.onlyIfCached).contents(path: "/a") == data)
    }

    @Test("is never mixed with another version: the reader hears of it")
    func changedMeanwhile() async throws {
        let cached = CachedMemory()
        let (old, new) = (Data(repeating: 1, count: 1_000), Data(repeating: 2, count: 1_000))
        try await cached.memory.writeContents(path: "/a", contents: old)
        _ = try await cached.files.contents(path: "/a", offset: 0, length: 500)
        let stream = try await cached.files.contentStream(path: "/a")
        try await cached.memory.writeContents(path: "/a", contents: new, overwrite: true)
        await #expect(throws: PreconditionFailedError.self) { try await stream.collect() }
        #expect(try await cached.files.contents(path: "/a") == new)
    }

    @Test("that can't be completed is forgotten, and read anew the next time")
    func neverComplete() async throws {
        let cached = CachedMemory()
        let data = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0) })
        try await cached.memory.writeContents(path: "/a", contents: data)
        // The storage has once said that there is more than there is.
        let kept = cached.files.kept
        let version = CacheVersion(eTag: try await cached.memory.attributesOfItem(path: "/a").eTag)
        let writer = try #require(await kept.writer("/a", version: version, length: 1_200, asked: await kept.mark()))
        await writer.write(ByteBuffer(bytes: data.prefix(500)), at: 0)
        await writer.finish()
        await #expect(throws: PreconditionFailedError.self) { try await cached.files.contents(path: "/a") }
        #expect(try await cached.files.contents(path: "/a") == data)
    }

    @Test("is what has come, where the line breaks off")
    func cut() async throws {
        let cached = CachedMemory()
        let data = Data((0..<800_000).map { UInt8(truncatingIfNeeded: $0 / 100) })
        try await cached.memory.writeContents(path: "/a", contents: data)
        let fault = FaultPlan.Fault.cut(afterBytes: 600_000, URLError(.networkConnectionLost))
        cached.counted.plan = FaultPlan([.init(.contentStream, on: .call(1), fault: fault)])
        await #expect(throws: URLError.self) { try await cached.files.contents(path: "/a") }
        #expect(await cached.files.kept.keptRanges(of: "/a") == [0..<600_000])
        #expect(try await cached.files.contents(path: "/a") == data)
    }

    @Test("is all that is told without the storage; what is not kept is no missing file")
    func offline() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        let offline = cached.files.withCaching(.onlyIfCached)
        let questions: [@Sendable () async throws -> Void] = [
            { _ = try await offline.contents(path: "/a") },
            { _ = try await offline.contentStream(path: "/a", range: .last(1)) },
            { _ = try await offline.contentsOfDirectory(path: "/") },
            { _ = try await offline.attributesOfItem(path: "/a") },
            { _ = try await offline.attributesOfItem(path: "id:7") },
            { _ = try await offline.storageProperties() },
            { _ = try await offline.trashedItems() },
            { _ = try await offline.currentAnchor() },
            { for try await _ in offline.searchFiles(path: "/", recursive: true, query: .all) {} },
            { for try await _ in offline.listingAnswers(path: "/") {} },
            { try await offline.copyItem(path: "/a", toLocalURL: URL(filePath: "/nowhere/\(UUID())")) },
        ]
        for question in questions {
            let error = await #expect(throws: URLError.self) { try await question() }
            #expect(error?.code == .resourceUnavailable)
        }
        #expect(try await offline.isReachable() == false)
        #expect(cached.counted.calls.isEmpty)
    }

    @Test("proves nothing without a version that later contents don't have")
    func weak() async throws {
        let clock = ModelClock()
        let memory = MemoryFileProvider(now: { clock.now })
        let counted = FaultInjectingFileProvider(CoarseFileProvider(memory))
        let files = CachedFileProvider(counted, store: CacheStore(at: nil), now: { clock.now })
        try await memory.writeContents(path: "/a", contents: Data("one".utf8))
        #expect(try await files.contents(path: "/a") == Data("one".utf8))
        try await memory.writeContents(path: "/a", contents: Data("two".utf8), overwrite: true)
        #expect(try await files.contents(path: "/a") == Data("two".utf8))
        clock.advance(by: 60)
        for _ in 0..<3 { #expect(try await files.contents(path: "/a") == Data("two".utf8)) }
        #expect(counted.count(of: .contentStream) == 3)
    }

    @Test("is one user's: two accounts with the same paths never meet")
    func accounts() async throws {
        let store = CacheStore(at: nil)
        let (first, second) = (MemoryFileProvider(), MemoryFileProvider())
        try await first.writeContents(path: "/a", contents: Data("first".utf8))
        try await second.writeContents(path: "/a", contents: Data("other".utf8))
        let ours = CachedFileProvider(first, store: store)
        let theirs = CachedFileProvider(second, store: store)
        #expect(try await ours.contents(path: "/a") == Data("first".utf8))
        #expect(try await theirs.contents(path: "/a") == Data("other".utf8))
        #expect(try await ours.withCaching(.onlyIfCached).contents(path: "/a") == Data("first".utf8))
        #expect(ours.kept.account != theirs.kept.account)
    }

    @Test("plans", arguments: plans)
    func plan(_ options: CachingOptions, _ use: ReadingPlan.Use, removes: Bool, keeps: Bool) {
        let plan = ReadingPlan(options, otherwise: .unasked)
        #expect(plan.use == use && plan.removesFirst == removes && plan.keeps == keeps)
        #expect((plan.removesFirst || plan.removesAfter) == options.contains(.removeExistingCache))
    }

    private static let plans: [(CachingOptions, ReadingPlan.Use, Bool, Bool)] = [
        ([], .unasked, false, true),
        (.validate, .validated, false, true),
        (.doNotReturnCachedResult, .never, false, true),
        (.doNotCacheResult, .unasked, false, false),
        (.removeExistingCache, .unasked, false, true),
        ([.removeExistingCache, .validate], .validated, false, true),
        ([.removeExistingCache, .doNotReturnCachedResult], .never, true, true),
        (.requestEvenIfCached, .never, false, true),
        (.ignoreCache, .never, false, false),
        (.disableCache, .never, true, false),
        (.onlyIfCached, .only, false, false),
        ([.onlyIfCached, .disableCache], .only, false, false),
    ]
}
