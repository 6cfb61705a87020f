import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryCache

@Suite("Thumbnails of many files that are kept")
struct ManyThumbnailTests {
    let memory = MemoryFileProvider()
    let pictures: PicturingFileProvider<MemoryFileProvider>
    let storage: ThumbnailTests.Storage
    let files: CachedFileProvider<ThumbnailTests.Storage>
    let paths: [ItemPath] = ["/b.ppm", "/gone.ppm", "/a.ppm", "/text.txt", "/b.ppm"]

    init() async throws {
        pictures = PicturingFileProvider(memory)
        storage = ThumbnailTests.Storage(pictures)
        files = CachedFileProvider(storage, store: CacheStore(at: nil))
        try await memory.writeContents(path: "/a.ppm", contents: Pixmap(width: 40, height: 20, seed: 1).data)
        try await memory.writeContents(path: "/b.ppm", contents: Pixmap(width: 30, height: 30, seed: 2).data)
        try await memory.writeContents(path: "/text.txt", contents: Data("text".utf8))
    }

    private func expectEach(of results: [Result<Thumbnail, any Error>]) throws {
        try #require(results.count == 5)
        #expect(try results[0].get().width == 8 && results[2].get().height == 4)
        #expect(try results[4].get() == results[0].get())
        #expect((results[1].failure as? CocoaError)?.code == .fileNoSuchFile)
        #expect((results[3].failure as? CocoaError)?.code == .featureUnsupported)
    }

    @Test("come from the cache, and those that are missing with one call")
    func together() async throws {
        _ = try await files.contentsOfDirectory(path: "/")
        let single = try await files.thumbnailOfFile(path: "/a.ppm", options: nil)
        let results = try await files.thumbnailsOfFiles(paths: paths, options: nil)
        try expectEach(of: results)
        #expect(try results[2].get() == single)
        #expect(storage.calls.filter { $0.method == .thumbnailsOfFiles }.map(\.path) == ["/b.ppm"])
        // What came with others is kept as what came alone is.
        let asked = pictures.askedFor.count
        try expectEach(of: try await files.thumbnailsOfFiles(paths: paths, options: nil))
        #expect(try await files.withCaching(.onlyIfCached).thumbnailOfFile(path: "/b.ppm", options: nil).width == 8)
        #expect(pictures.askedFor.count == asked && storage.count(of: .thumbnailsOfFiles) == 1)
    }

    @Test("of a file that has changed are asked for again, and no others")
    func changed() async throws {
        let strict = files.withCaching(.validate)
        _ = try await strict.thumbnailsOfFiles(paths: ["/a.ppm", "/b.ppm"], options: nil)
        let new = Pixmap(width: 40, height: 20, seed: 9)
        try await memory.writeContents(path: "/a.ppm", contents: new.data, overwrite: true)
        let results = try await strict.thumbnailsOfFiles(paths: ["/b.ppm", "/a.ppm"], options: nil)
        #expect(try results[1].get() == new.scaled(ThumbnailOptions()).thumbnail)
        #expect(storage.calls.filter { $0.method == .thumbnailsOfFiles }.map(\.path) == ["/a.ppm", "/a.ppm"])
        #expect(pictures.askedFor.count == 3)
    }

    @Test("of what was just listed are taken, or asked for together, without a question about each")
    func listed() async throws {
        let strict = files.withCaching(.validate)
        for _ in 0..<2 {
            let items = try await strict.contentsOfDirectory(path: "/").filter { $0.pathExtension == "ppm" }
            let results = try await strict.thumbnailsOfFiles(listed: items, options: nil)
            #expect(results.count == 2 && results.allSatisfy { $0.failure == nil })
        }
        #expect(storage.count(of: .thumbnailsOfFiles) == 1 && storage.count(of: .attributesOfItem) == 0)
        #expect(pictures.askedFor.count == 2)
    }

    @Test("come from the cache also where the storage can't be reached")
    func unreachable() async throws {
        _ = try await files.contentsOfDirectory(path: "/")
        _ = try await files.thumbnailOfFile(path: "/a.ppm", options: nil)
        storage.plan = FaultPlan([.init(fault: .error(URLError(.cannotConnectToHost)))])
        let results = try await files.thumbnailsOfFiles(paths: ["/gone.ppm", "/b.ppm", "/a.ppm"], options: nil)
        #expect(results.map { ($0.failure as? URLError)?.code } == [.cannotConnectToHost, .cannotConnectToHost, nil])
        await #expect(throws: URLError(.cannotConnectToHost)) {
            try await files.thumbnailsOfFiles(paths: ["/b.ppm"], options: nil)
        }
    }

    @Test("are asked for no more, and fail together, where the storage can't be reached or refuses the login")
    func nothingAsked() async throws {
        let most = files.capabilities.recommendedConcurrency
        let many = (0..<(most + 20)).map { ItemPath.root.appending("\($0).ppm") }
        for code in [URLError.Code.cannotConnectToHost, .userAuthenticationRequired] {
            storage.plan = FaultPlan([.init(fault: .error(URLError(code)))])
            let before = storage.calls.count
            await #expect(throws: URLError(code)) { try await files.thumbnailsOfFiles(paths: many, options: nil) }
            #expect((1...most).contains(storage.calls.count - before))
            #expect(storage.count(of: .thumbnailsOfFiles) == 0)
        }
        // Kept ones are found all the same, wherever they are.
        storage.plan = FaultPlan()
        _ = try await files.contentsOfDirectory(path: "/")
        _ = try await files.thumbnailOfFile(path: "/a.ppm", options: nil)
        storage.plan = FaultPlan([.init(fault: .error(URLError(.cannotConnectToHost)))])
        let before = storage.calls.count
        let results = try await files.thumbnailsOfFiles(paths: many + ["/b.ppm", "/a.ppm"], options: nil)
        #expect(results.count == many.count + 2 && results.last?.failure == nil)
        #expect(results.dropLast().allSatisfy { ($0.failure as? URLError)?.code == .cannotConnectToHost })
        #expect((1...most).contains(storage.calls.count - before))
        // Whether they are right can't be known then.
        await #expect(throws: URLError(.cannotConnectToHost)) {
            try await files.withCaching(.validate).thumbnailsOfFiles(paths: many + ["/a.ppm"], options: nil)
        }
    }

    @Test("of which only some were described are asked for with two calls, in the order of the files")
    func partlyListed() async throws {
        let items = try await files.contentsOfDirectory(path: "/")
        var b = try #require(items.first { $0.name == "b.ppm" })
        let a = try #require(items.first { $0.name == "a.ppm" })
        b.size = nil
        let strict = files.withCaching(.validate)
        let before = storage.count(of: .attributesOfItem)
        let results = try await strict.thumbnailsOfFiles(listed: [b, a, b], options: nil)
        #expect(results.map { try? $0.get().height } == [8, 4, 8])
        let calls = storage.calls.filter { $0.method == .thumbnailsOfFiles }.map(\.path)
        #expect(calls == ["/a.ppm", "/b.ppm"])
        // Of the one that was described nobody asks what it is.
        #expect(!storage.calls.contains { $0.method == .attributesOfItem && $0.path == "/a.ppm" })
        #expect(storage.count(of: .attributesOfItem) > before)
    }

    @Test("follow the options: never kept, only taken")
    func options() async throws {
        let passing = try await files.withCaching(.ignoreCache).thumbnailsOfFiles(paths: ["/a.ppm"], options: nil)
        #expect(try passing.first?.get().width == 8)
        #expect(await files.thumbnails(of: "/a.ppm").isEmpty && storage.count(of: .attributesOfItem) == 0)
        let offline = files.withCaching(.onlyIfCached)
        let missing = try await offline.thumbnailsOfFiles(paths: ["/a.ppm"], options: nil)
        #expect((missing.first?.failure as? URLError)?.code == .resourceUnavailable)
    }

    @Test("are made here where the storage makes none, and kept")
    func made() async throws {
        let plain = FaultInjectingFileProvider(memory)
        let files = CachedFileProvider(plain, store: CacheStore(at: nil), thumbnailMaker: PixmapMaker())
        for _ in 0..<2 { try expectEach(of: try await files.thumbnails(paths, ThumbnailOptions())) }
        #expect(await files.thumbnails(of: "/a.ppm").count == 1)
    }
}

extension Result {
    /// The error, if there is one.
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
