import FerryCore
import FerryTestKit
import Foundation
import Testing

@testable import FerryCache

/// As WebDAV-Swift's users know it: what is kept is the answer once more, and then it is gone.
@Suite("removeExistingCache")
struct RemovingTests {
    @Test("gives what is kept, and then removes it")
    func listings() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        #expect(try await cached.names() == ["a"])
        try await cached.write("/b", "two")
        #expect(try await cached.names("/", .removeExistingCache) == ["a"], "the kept one")
        await #expect(throws: URLError.self) { try await cached.names("/", .onlyIfCached) }
        #expect(try await cached.names("/", .removeExistingCache) == ["a", "b"], "the storage's, which is kept")
        #expect(try await cached.names("/", .onlyIfCached) == ["a", "b"])
    }

    @Test("of attributes and room does the same")
    func attributes() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        let removing = cached.files.withCaching(.removeExistingCache)
        #expect(try await cached.files.attributesOfItem(path: "/a").size == 3)
        #expect(try await cached.files.storageProperties().usedCapacity == 3)
        try await cached.write("/a", "three")
        #expect(try await removing.attributesOfItem(path: "/a").size == 3)
        #expect(try await removing.storageProperties().usedCapacity == 3)
        #expect(try await cached.files.attributesOfItem(path: "/a").size == 5)
        #expect(try await cached.files.storageProperties().usedCapacity == 5)
    }

    @Test("of contents does so after the storage has said that they are the same")
    func contents() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        #expect(try await cached.read("/a") == "one")
        #expect(try await cached.read("/a", .removeExistingCache) == "one")
        #expect(cached.counted.count(of: .contentStream) == 1, "what was kept was the answer")
        await #expect(throws: URLError.self) { try await cached.read("/a", .onlyIfCached) }
        #expect(try await cached.read("/a") == "one")
        try await cached.write("/a", "two")
        #expect(try await cached.read("/a", .removeExistingCache) == "two", "the kept one is of another version")
        #expect(try await cached.read("/a", [.removeExistingCache, .doNotCacheResult]) == "two")
        await #expect(throws: URLError.self) { try await cached.read("/a", .onlyIfCached) }
    }

    @Test("with doNotReturnCachedResult never gives what is kept, and keeps the new answer")
    func notReturned() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        _ = try await cached.names()
        try await cached.write("/b", "two")
        let options: CachingOptions = [.removeExistingCache, .doNotReturnCachedResult]
        #expect(try await cached.names("/", options) == ["a", "b"])
        #expect(try await cached.names("/", .onlyIfCached) == ["a", "b"])
    }

    @Test("is a part of disableCache, after which nothing is kept")
    func disabled() async throws {
        #expect(CachingOptions.disableCache == [.removeExistingCache, .doNotReturnCachedResult, .doNotCacheResult])
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        _ = try await cached.names()
        _ = try await cached.read("/a")
        try await cached.write("/b", "two")
        #expect(try await cached.names("/", .disableCache) == ["a", "b"])
        #expect(try await cached.read("/a", .disableCache) == "one")
        await #expect(throws: URLError.self) { try await cached.names("/", .onlyIfCached) }
        await #expect(throws: URLError.self) { try await cached.read("/a", .onlyIfCached) }
    }

    @Test("in a pair of answers gives the kept one first, then the storage's, which is kept")
    func answers() async throws {
        let cached = CachedMemory()
        try await cached.write("/a", "one")
        _ = try await cached.read("/a")
        _ = try await cached.names()
        try await cached.write("/b", "two")
        let removing = cached.files.withCaching(.removeExistingCache)
        var names: [[String]] = []
        for try await answer in removing.listingAnswers(path: "/") { names.append(answer.value.map(\.name)) }
        #expect(names == [["a"], ["a", "b"]])
        #expect(try await cached.names("/", .onlyIfCached) == ["a", "b"])
        var texts: [Data] = []
        for try await answer in removing.contentsAnswers(path: "/a") { texts.append(answer.value) }
        #expect(texts == [Data("one".utf8)], "the storage has the same")
        #expect(try await cached.read("/a", .onlyIfCached) == "one")
    }
}
