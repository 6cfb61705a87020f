import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryCache

@Suite("Before anybody asks")
struct PrefetchingTests {
    @Test("a file that is read part by part in order is read on, in few requests, and no more than allowed")
    func readAhead() async throws {
        let cached = CachedMemory(settings: CacheSettings(readAheadBytes: 1 << 20))
        let data = Data.seeded(8 << 20)
        try await cached.memory.writeContents(path: "/a", contents: data)
        let part = 64 << 10
        for offset in stride(from: 0, to: 2 << 20, by: part) {
            let read = try await cached.files.contents(path: "/a", offset: Int64(offset), length: Int64(part))
            #expect(read == data[offset..<offset + part])
        }
        // 32 parts.
        #expect(cached.counted.count(of: .contentStream) < 16)
        let kept = await cached.files.kept.keptRanges(of: "/a")
        #expect((kept.last?.upperBound ?? 0) <= 3 << 20)
    }

    @Test("a file of which nothing is kept is not read on for long: all would come twice")
    func readAheadInVain() async throws {
        let nothing = CacheStore(at: nil, limits: CacheLimits(memoryBytes: 0))
        let cached = CachedMemory(settings: CacheSettings(readAheadBytes: 1 << 20), store: nothing)
        let data = Data.seeded(8 << 20)
        try await cached.memory.writeContents(path: "/a", contents: data)
        let part = 256 << 10
        for offset in stride(from: 0, to: 8 << 20, by: part) {
            let read = try await cached.files.contents(path: "/a", offset: Int64(offset), length: Int64(part))
            #expect(read == data[offset..<offset + part])
        }
        // 32 parts, and one look ahead, or two that were under way.
        #expect(cached.counted.count(of: .contentStream) <= 35)
    }

    @Test("a file that is read here and there is not")
    func scattered() async throws {
        let cached = CachedMemory(settings: CacheSettings(readAheadBytes: 1 << 20))
        try await cached.memory.writeContents(path: "/a", contents: Data(count: 8 << 20))
        for offset in [0, 4, 2, 6, 1, 5] as [Int64] {
            _ = try await cached.files.contents(path: "/a", offset: offset << 20, length: 1_000)
        }
        #expect(await cached.files.kept.keptRanges(of: "/a").reduce(0) { $0 + $1.count } == 6_000)
    }

    @Test("nothing is listed for who asks nobody, or keeps nothing")
    func foldersUnasked() async throws {
        let cached = CachedMemory(settings: CacheSettings(readAheadBytes: 0, prefetchedFolders: 2))
        try await cached.memory.create(folder: "d", at: "/")
        _ = try await cached.names()
        await cached.files.engine.prefetcher?.finish()
        await cached.files.kept.removeItem("/d")
        for options in [CachingOptions.onlyIfCached, .doNotCacheResult] {
            let asked = cached.counted.calls.count
            #expect(try await cached.names("/", options) == ["d"])
            await cached.files.engine.prefetcher?.finish()
            #expect(cached.counted.calls.count == asked, "\(options)")
        }
    }

    @Test("folders that were changed last are listed, and none below these; by default none")
    func folders() async throws {
        for limit in [0, 2] {
            let cached = CachedMemory(settings: CacheSettings(readAheadBytes: 0, prefetchedFolders: limit))
            for name in ["old", "newer", "newest"] {
                try await cached.memory.create(folder: name, at: "/")
                try await cached.memory.create(folder: "below", at: ItemPath.root.appending(name))
            }
            for (index, name) in ["old", "newer", "newest"].enumerated() {
                let date = Date(timeIntervalSinceReferenceDate: Double(index))
                let path = ItemPath.root.appending(name)
                try await cached.memory.setAttributes(ItemAttributes(modifiedDate: date), path: path)
            }
            _ = try await cached.names()
            await cached.files.engine.prefetcher?.finish()
            var listed: [String] = []
            for name in ["old", "newer", "newest"] {
                if (try? await cached.names(ItemPath.root.appending(name), .onlyIfCached)) != nil {
                    listed.append(name)
                }
            }
            #expect(listed == (limit == 0 ? [] : ["newer", "newest"]))
            await #expect(throws: URLError.self) { try await cached.names("/newest/below", .onlyIfCached) }
        }
    }
}
