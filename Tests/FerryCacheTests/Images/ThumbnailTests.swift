import FerryCore
import FerryMemory
import FerryTestKit
import FerryTestServers
import Foundation
import Testing

@testable import FerryCache

@Suite("Thumbnails that are kept")
struct ThumbnailTests {
    typealias Storage = FaultInjectingFileProvider<PicturingFileProvider<MemoryFileProvider>>

    let memory = MemoryFileProvider()
    let pictures: PicturingFileProvider<MemoryFileProvider>
    let storage: Storage
    let files: CachedFileProvider<Storage>

    init() async throws {
        pictures = PicturingFileProvider(memory)
        storage = Storage(pictures)
        files = CachedFileProvider(storage, store: CacheStore(at: nil))
        try await memory.writeContents(path: "/a.ppm", contents: Pixmap(width: 40, height: 20, seed: 1).data)
        try await memory.writeContents(path: "/b.ppm", contents: Pixmap(width: 30, height: 30, seed: 2).data)
        try await memory.writeContents(path: "/text.txt", contents: Data("text".utf8))
    }

    private func change(_ seed: Int) async throws -> Pixmap {
        let picture = Pixmap(width: 40, height: 20, seed: seed)
        try await memory.writeContents(path: "/a.ppm", contents: picture.data, overwrite: true)
        return picture
    }

    @Test("are asked for once, each size and shape for itself")
    func once() async throws {
        let ways = [
            ThumbnailOptions(), ThumbnailOptions(width: 10), ThumbnailOptions(height: 10),
            ThumbnailOptions(width: 10, height: 10), ThumbnailOptions(width: 10, height: 10, mode: .fill),
            ThumbnailOptions(width: 10, height: 10, page: 2),
        ]
        let sizes = [(8, 4), (10, 5), (20, 10), (10, 5), (10, 10), (10, 5)]
        for _ in 0..<2 {
            for (way, size) in zip(ways, sizes) {
                let thumbnail = try await files.thumbnail(path: "/a.ppm", properties: way)
                #expect(thumbnail.width == size.0 && thumbnail.height == size.1, "\(way)")
                #expect(Pixmap(thumbnail.data)?.width == size.0)
            }
        }
        // Without a size, the storage chooses it.
        #expect(pictures.askedFor == [nil] + ways.dropFirst().map { $0 })
        #expect(storage.count(of: .attributesOfItem) == 1)
    }

    @Test("are the same by the name that all storages use")
    func sameByProtocol() async throws {
        let provider: any ExtendedFileProvider = files
        let first = try await provider.thumbnailOfFile(path: "/a.ppm", options: nil)
        #expect(try await files.thumbnail(path: "/a.ppm") == first)
        #expect(storage.count(of: .thumbnailOfFile) == 1)
        #expect(provider.thumbnailOfFileSupported(path: "/a.ppm"))
        #expect(!provider.thumbnailOfFileSupported(path: "/text.txt"))
    }

    @Test("of a changed item are not shown any more, once the cache has heard of the change")
    func changed() async throws {
        let old = try await files.thumbnail(path: "/a.ppm")
        let new = try await change(9).scaled(ThumbnailOptions()).thumbnail
        // Nobody has told us yet.
        #expect(try await files.thumbnail(path: "/a.ppm") == old)
        _ = try await files.withCaching(.doNotReturnCachedResult).contentsOfDirectory(path: "/")
        #expect(await files.thumbnails(of: "/a.ppm").allSatisfy { !$0.isCurrent })
        #expect(try await files.thumbnail(path: "/a.ppm") == new)
        #expect(await files.thumbnails(of: "/a.ppm").map(\.isCurrent) == [true])
    }

    @Test("of a changed item are not shown when the storage is asked whether it has changed")
    func validated() async throws {
        let strict = files.withCaching(.validate)
        let old = try await strict.thumbnail(path: "/a.ppm")
        #expect(try await strict.thumbnail(path: "/a.ppm") == old)
        #expect(storage.count(of: .thumbnailOfFile) == 1)
        let new = try await change(9).scaled(ThumbnailOptions()).thumbnail
        #expect(try await strict.thumbnail(path: "/a.ppm") == new)
        #expect(try await files.withCaching(.onlyIfCached).thumbnail(path: "/a.ppm") == new)
    }

    @Test("of an item that is changed through the cache are gone at once")
    func changedThrough() async throws {
        _ = try await files.thumbnail(path: "/a.ppm")
        try await files.writeContents(
            path: "/a.ppm",
            contents: Pixmap(width: 8, height: 8, seed: 7).data,
            overwrite: true
        )
        #expect(await files.thumbnails(of: "/a.ppm").isEmpty)
        #expect(try await files.thumbnail(path: "/a.ppm").data == Pixmap(width: 8, height: 8, seed: 7).data)
        try await files.moveItem(path: "/a.ppm", to: "/c.ppm")
        await #expect(throws: CocoaError.self) { try await files.thumbnail(path: "/a.ppm") }
    }

    @Test("that were asked for while the item changed never show as those of the new one")
    func changedMeanwhile() async throws {
        // The cache knows an older item than the one that the storage makes the thumbnail of.
        _ = try await files.contentsOfDirectory(path: "/")
        let new = try await change(5).scaled(ThumbnailOptions()).thumbnail
        #expect(try await files.thumbnail(path: "/a.ppm") == new)
        let newest = try await change(6).scaled(ThumbnailOptions()).thumbnail
        _ = try await files.withCaching(.doNotReturnCachedResult).contentsOfDirectory(path: "/")
        #expect(try await files.thumbnail(path: "/a.ppm") == newest)
    }

    @Test("of one item are listed, the best first, and forgotten together")
    func listed() async throws {
        for way in [
            ThumbnailOptions(width: 4), ThumbnailOptions(width: 20),
            ThumbnailOptions(width: 30, height: 30, mode: .fill),
        ] {
            _ = try await files.thumbnail(path: "/a.ppm", properties: way)
            _ = try await files.thumbnail(path: "/b.ppm", properties: way)
        }
        let kept = await files.thumbnails(of: "/a.ppm")
        #expect(kept.map(\.options.width) == [20, 4, 30] && kept.allSatisfy(\.isCurrent))
        #expect(kept.map(\.thumbnail.width) == [20, 4, 30])
        await files.removeThumbnails(of: "/a.ppm")
        #expect(await files.thumbnails(of: "/a.ppm").isEmpty)
        #expect(await files.thumbnails(of: "/b.ppm").count == 3)
    }

    @Test("are one question, however many ask at the same time")
    func shared() async throws {
        _ = try await files.contentsOfDirectory(path: "/")
        // Nobody gets an answer before all have asked.
        let gate = Gate()
        storage.plan = FaultPlan([.init(.thumbnailOfFile, fault: .meanwhile { await gate.wait() })])
        let widths = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<100 { group.addTask { try await files.thumbnail(path: "/a.ppm").width } }
            let haveAsked: Void? = try? await until("all have asked") { files.engine.coalescer.waitingCount == 99 }
            // Also if they haven't: then this is no test that never ends.
            await gate.open()
            #expect(haveAsked != nil)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(widths == Array(repeating: 8, count: 100))
        #expect(pictures.askedFor.count == 1)
    }

    @Test("follow the options: never kept, never taken, only taken")
    func options() async throws {
        _ = try await files.withCaching(.ignoreCache).thumbnail(path: "/a.ppm")
        #expect(await files.thumbnails(of: "/a.ppm").isEmpty)
        #expect(storage.count(of: .attributesOfItem) == 0)
        let offline = files.withCaching(.onlyIfCached)
        let missing = await #expect(throws: URLError.self) { try await offline.thumbnail(path: "/a.ppm") }
        #expect(missing?.code == .resourceUnavailable && pictures.askedFor.count == 1)
        let kept = try await files.withCaching(.doNotReturnCachedResult).thumbnail(path: "/a.ppm")
        _ = try await files.withCaching(.doNotReturnCachedResult).thumbnail(path: "/a.ppm")
        #expect(pictures.askedFor.count == 3)
        #expect(try await offline.thumbnail(path: "/a.ppm") == kept)
        _ = try await files.withCaching(.disableCache).thumbnail(path: "/a.ppm")
        #expect(await files.thumbnails(of: "/a.ppm").isEmpty)
        #expect(pictures.askedFor.count == 4)
    }

    @Test("of what has none are an error, which is not kept")
    func none() async throws {
        for _ in 0..<2 {
            let error = await #expect(throws: CocoaError.self) { try await files.thumbnail(path: "/text.txt") }
            #expect(error?.code == .featureUnsupported)
        }
        let missing = await #expect(throws: CocoaError.self) { try await files.thumbnail(path: "/gone.ppm") }
        #expect(missing?.code == .fileNoSuchFile)
        #expect(pictures.askedFor.isEmpty)
    }

    @Test("of what was just listed are taken, or asked for, without a question about each", arguments: [true, false])
    func listedItems(_ keeps: Bool) async throws {
        let files = files.withCaching(keeps ? .validate : .doNotReturnCachedResult)
        for seed in [1, 9] {
            let pictures = try await files.contentsOfDirectory(path: "/").filter { $0.pathExtension == "ppm" }
            let asked = storage.count(of: .thumbnailOfFile)
            for _ in 0..<2 {
                for item in pictures {
                    let thumbnail = try await files.thumbnail(of: item, options: ThumbnailOptions(width: 4))
                    guard item.path == "/a.ppm" else { continue }
                    let picture = Pixmap(width: 40, height: 20, seed: seed)
                    #expect(thumbnail == picture.scaled(ThumbnailOptions(width: 4)).thumbnail)
                }
            }
            // The one that changed is asked for again, and no other.
            let expected = keeps ? (seed == 1 ? 2 : 1) : 4
            #expect(pictures.count == 2 && storage.count(of: .thumbnailOfFile) - asked == expected)
            #expect(storage.count(of: .attributesOfItem) == 0)
            _ = try await change(9)
        }
    }

    @Test("are made here where the storage makes none: of contents that are read once")
    func made() async throws {
        let plain = FaultInjectingFileProvider(memory)
        let files = CachedFileProvider(plain, store: CacheStore(at: nil), thumbnailMaker: PixmapMaker())
        let first = try await files.thumbnail(path: "/a.ppm", properties: ThumbnailOptions(width: 10))
        #expect(first == Pixmap(width: 40, height: 20, seed: 1).scaled(ThumbnailOptions(width: 10)).thumbnail)
        _ = try await files.thumbnail(path: "/a.ppm", properties: ThumbnailOptions(width: 5))
        _ = try await files.thumbnail(path: "/a.ppm", properties: ThumbnailOptions(width: 10))
        let read = plain.count(of: .contents) + plain.count(of: .contentStream)
        #expect(read <= 2, "read, and at most looked at whether it is the same")
        let none = await #expect(throws: CocoaError.self) { try await files.thumbnail(path: "/text.txt") }
        #expect(none?.code == .featureUnsupported)
        // Offline another size can still be made of contents that are kept.
        let offline = files.withCaching(.onlyIfCached)
        #expect(try await offline.thumbnail(path: "/a.ppm", properties: ThumbnailOptions(width: 6)).width == 6)
    }

    @Test("are made here of a file that the storage makes none of, though of others it does")
    func madeInstead() async throws {
        let maker = CachedFileProvider(storage, store: CacheStore(at: nil), thumbnailMaker: PixmapMaker())
        storage.plan = FaultPlan([
            .init(.thumbnailOfFile, path: "/b.ppm", fault: .error(CocoaError(.featureUnsupported)))
        ])
        #expect(try await maker.thumbnail(path: "/b.ppm").width == 8)
        await #expect(throws: CocoaError.self) { try await files.thumbnail(path: "/b.ppm") }
    }
}
