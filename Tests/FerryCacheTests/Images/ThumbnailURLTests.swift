import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryCache

@Suite("Thumbnails as files")
struct ThumbnailURLTests {
    private let small = ThumbnailOptions(width: 10)

    private func make(
        _ store: CacheStore
    ) async throws -> (MemoryFileProvider, CachedFileProvider<PicturingFileProvider<MemoryFileProvider>>) {
        let memory = MemoryFileProvider()
        try await memory.writeContents(path: "/a.ppm", contents: Pixmap(width: 40, height: 20, seed: 1).data)
        return (memory, CachedFileProvider(PicturingFileProvider(memory), store: store, account: .test))
    }

    @Test("hold what is kept, each size and shape for itself")
    func files() async throws {
        try await StoreFolder.with { folder in
            let (_, files) = try await make(folder.store())
            #expect(await files.cachedThumbnailURL(path: "/a.ppm", properties: small) == nil)
            let picture = try await files.thumbnail(path: "/a.ppm", properties: small)
            let whole = try await files.thumbnail(path: "/a.ppm")
            let url = try #require(await files.cachedThumbnailURL(path: "/a.ppm", properties: small))
            #expect(try Data(contentsOf: url) == picture.data)
            #expect(await files.cachedThumbnailURL(path: "/a.ppm", properties: small) == url)
            let all = await files.cachedThumbnailURLs(of: "/a.ppm")
            #expect(all.count == 2 && all[small] == url)
            #expect(try all[ThumbnailOptions()].map { try Data(contentsOf: $0) } == whole.data)
            try Data("damaged".utf8).write(to: url)
            _ = await files.cachedThumbnailURL(path: "/a.ppm", properties: small)
            #expect(try Data(contentsOf: url) == picture.data, "what the file holds is compared")
        }
    }

    @Test("go with what they are copies of")
    func removed() async throws {
        try await StoreFolder.with { folder in
            let (memory, files) = try await make(folder.store())
            _ = try await files.thumbnail(path: "/a.ppm", properties: small)
            let url = try #require(await files.cachedThumbnailURL(path: "/a.ppm", properties: small))
            await files.removeThumbnails(of: "/a.ppm")
            #expect(!FileManager.default.fileExists(atPath: url.path(percentEncoded: false)))
            #expect(await files.cachedThumbnailURL(path: "/a.ppm", properties: small) == nil)
            _ = try await files.thumbnail(path: "/a.ppm", properties: small)
            let again = try #require(await files.cachedThumbnailURL(path: "/a.ppm", properties: small))
            // By another process, which has put nothing there.
            let (_, other) = try await make(folder.store())
            await other.kept.removeAll()
            #expect(!FileManager.default.fileExists(atPath: again.path(percentEncoded: false)))
            _ = try await files.thumbnail(path: "/a.ppm", properties: small)
            let changed = Pixmap(width: 40, height: 20, seed: 3)
            try await memory.writeContents(path: "/a.ppm", contents: changed.data, overwrite: true)
            _ = try await files.withCaching(.doNotReturnCachedResult).attributesOfItem(path: "/a.ppm")
            #expect(await files.cachedThumbnailURL(path: "/a.ppm", properties: small) == nil, "of another version")
            #expect(await files.cachedThumbnailURLs(of: "/a.ppm").isEmpty)
        }
    }

    @Test("are none where nothing is kept on the disk")
    func memoryOnly() async throws {
        let (_, files) = try await make(CacheStore(at: nil))
        _ = try await files.thumbnail(path: "/a.ppm", properties: small)
        #expect(await files.cachedThumbnailURL(path: "/a.ppm", properties: small) == nil)
    }

    @Test("count in the size that people are shown, as all that is kept")
    func size() async throws {
        #expect(CacheUsage(parts: [], diskBytes: 4_200_000, memoryBytes: 7, isOnDisk: true).sizeText == "4.2 MB")
        #expect(CacheUsage(parts: [], diskBytes: 0, memoryBytes: 0, isOnDisk: false).sizeText.hasSuffix("KB"))
    }
}
