import FerryCache
import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryLocal
@testable import FerryMedia

@Suite("A provider with thumbnails and properties behaves as every provider must")
struct MediaConformanceTests {
    @Test("around memory", arguments: ConformanceScope.wrapper.checks())
    func memory(check: ConformanceCheck) async throws {
        try await check.run(on: Self.memory)
    }

    @Test("around local files", arguments: ConformanceScope.wrapper.checks())
    func local(check: ConformanceCheck) async throws {
        try await check.run(on: Self.local)
    }

    private static let memory = ConformanceSubject(
        "memory",
        stage: { ConformanceStage(MediaFileProvider(MemoryFileProvider(pageSize: 7)), ownsTrash: true) }
    )

    private static let local = ConformanceSubject(
        "local",
        stage: {
            let folder = try MediaFolder()
            return ConformanceStage(MediaFileProvider(folder.files)) { _ = folder }
        }
    )
}

/// A folder for one test; the trash and the items that are set aside are beside it, and go with it.
final class MediaFolder: Sendable {
    private let all: URL
    let url: URL
    let files: LocalFileProvider

    init() throws {
        all = FileManager.default.temporaryDirectory.appending(path: "ferry-media-\(UUID().uuidString.lowercased())/")
        url = all.appending(path: "files/")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        files = LocalFileProvider(
            base: BaseFolder(path: url.localPath),
            trashes: TrashFolders(environment: ["XDG_DATA_HOME": all.appending(path: "data").localPath]),
            asides: AsideFolders(environment: ["XDG_STATE_HOME": all.appending(path: "state").localPath])
        )
    }

    deinit { try? FileManager.default.removeItem(at: all) }
}

@Suite("Thumbnails and properties of any storage", .timeLimit(.minutes(30)))
struct MediaFileProviderTests {
    @Test("a thumbnail and the properties of a photo of 24 megapixels cost at most 256 KiB of reading")
    func bytes() async throws {
        let generator = Programs.generator
        let small = try await generator.scaleDown(
            image: Samples.crowded(),
            to: ThumbnailOptions(width: 160, format: .jpeg)
        )
        let memory = MemoryFileProvider()
        let photo = try await Samples.photo(generator, small: small.data)
        try #require(photo.count > 1 << 20)
        try await memory.writeContents(path: "/photo.jpg", contents: photo)
        for what in ["thumbnail", "properties"] {
            let counting = CountingFileProvider(memory)
            let files = MediaFileProvider(counting, generator: generator)
            if what == "thumbnail" {
                let options = ThumbnailOptions(width: 128, height: 128)
                let thumbnail = try await files.thumbnailOfFile(path: "/photo.jpg", options: options)
                #expect(thumbnail.width == 128, "\(thumbnail.width ?? 0)")
            } else {
                let properties = try await files.propertiesOfFile(path: "/photo.jpg")
                #expect(properties[.dimensions] == .size(.init(width: 6000, height: 4000)))
                #expect(properties[.deviceModel] == .text("Ferry 24"))
            }
            #expect(counting.bytes > 0 && counting.bytes <= 256 << 10, "\(what): \(counting.bytes) bytes")
        }
    }

    @Test("extensions alone decide, and nothing is read or asked of other files")
    func support() async throws {
        let counting = CountingFileProvider(MemoryFileProvider())
        let files = MediaFileProvider(counting, generator: MediaGenerator(engine: NamingEngine()))
        #expect(files.thumbnailOfFileSupported(path: "/no/such.PNG") && files.propertiesOfFileSupported(path: "/a.pdf"))
        #expect(!files.thumbnailOfFileSupported(path: "/a.txt") && !files.propertiesOfFileSupported(path: "/a.png"))
        try await files.writeContents(path: "/a.txt", contents: Data("x".utf8))
        for path in ["/a.txt", "/missing.txt"] as [ItemPath] {
            let error = await #expect(throws: CocoaError.self) {
                try await files.thumbnailOfFile(path: path, options: nil)
            }
            #expect(error?.code == .featureUnsupported)
            await #expect(throws: CocoaError.self) { try await files.propertiesOfFile(path: path) }
        }
        #expect(counting.reads == 0)
    }

    @Test("folders and missing files are told as everywhere")
    func wrongItems() async throws {
        let files = MediaFileProvider(MemoryFileProvider(), generator: MediaGenerator(engine: NamingEngine()))
        try await files.create(folder: "d.png", at: "/")
        for path in ["/d.png", "/e.png"] as [ItemPath] {
            let error = await #expect(throws: CocoaError.self) {
                try await files.thumbnailOfFile(path: path, options: nil)
            }
            #expect(error?.code == (path == "/e.png" ? .fileNoSuchFile : .fileReadUnknown), "\(path)")
        }
    }

    @Test("a symbolic link is followed, and an empty file is no picture")
    func links() async throws {
        let folder = try MediaFolder()
        let files = MediaFileProvider(folder.files, generator: Programs.generator)
        try await files.writeContents(path: "/a.svg", contents: Samples.svg())
        try await files.writeContents(path: "/empty.svg", contents: Data())
        try await files.create(symbolicLink: "/link.svg", withDestination: "a.svg")
        let options = ThumbnailOptions(width: 20, height: 20, format: .png)
        let linked = try await files.thumbnailOfFile(path: "/link.svg", options: options)
        #expect(linked.width == 20 && linked.height == 15)
        #expect(try await files.thumbnailOfFile(path: "/a.svg", options: options) == linked)
        await #expect(throws: CocoaError.self) { try await files.thumbnailOfFile(path: "/empty.svg", options: options) }
    }

    @Test("a storage that gives only whole files is asked once, and not for large ones")
    func wholeFiles() async throws {
        let memory = MemoryFileProvider()
        let contents = String(repeating: "x", count: 200_000)
        try await memory.writeContents(path: "/a.echo", contents: Data(contents.utf8))
        let counting = CountingFileProvider(memory, readsRanges: false)
        var generator = MediaGenerator(engine: Programs.engine())
        let engine = generator.engine
        generator.registerThumbnails(forExtensions: ["echo"]) { try await engine.thumbnail(of: $0, options: $1) }
        let files = MediaFileProvider(counting, generator: generator)
        let thumbnail = try await files.thumbnailOfFile(path: "/a.echo", options: nil)
        #expect(thumbnail.data == Data(contents.utf8) && counting.reads == 1)
        try await memory.writeContents(path: "/b.echo", contents: Data(count: 65 << 20))
        let error = await #expect(throws: CocoaError.self) {
            try await files.thumbnailOfFile(path: "/b.echo", options: nil)
        }
        #expect(error?.code == .fileReadTooLarge && counting.reads == 1)
    }

    @Test("no more files are read at a time than programs may run")
    func concurrency() async throws {
        let memory = MemoryFileProvider()
        for index in 0..<40 {
            try await memory.writeContents(path: "/\(index).echo", contents: Data(repeating: 1, count: 100_000))
        }
        let counting = CountingFileProvider(memory)
        var generator = MediaGenerator(engine: Programs.engine(limit: 3))
        let engine = generator.engine
        generator.registerThumbnails(forExtensions: ["echo"]) { try await engine.thumbnail(of: $0, options: $1) }
        let files = MediaFileProvider(counting, generator: generator)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask { _ = try await files.thumbnailOfFile(path: "/\(index).echo", options: nil) }
            }
            try await group.waitForAll()
        }
        #expect(counting.bytes == 4_000_000 && counting.mostAtOnce <= 3)
    }

    @Test("the storage's own thumbnails are taken first, and brought into the size and format that are wanted")
    func ownThumbnails() async throws {
        let memory = MemoryFileProvider()
        try await memory.writeContents(path: "/a.png", contents: Data("xyz".utf8))
        try await memory.writeContents(path: "/a.kra", contents: Data("xyz".utf8))
        let server = PreviewingFileProvider(memory)
        let files = MediaFileProvider(server, generator: MediaGenerator(engine: NamingEngine()))
        let words = { (path: ItemPath, options: ThumbnailOptions?) in
            String(decoding: try await files.thumbnailOfFile(path: path, options: options).data, as: UTF8.self)
        }
        #expect(try await words("/a.png", nil) == "preview")
        #expect(try await words("/a.png", ThumbnailOptions(format: .jpeg)) == "preview")
        #expect(try await words("/a.png", ThumbnailOptions(format: .png)) == "image 7x5 1 7")
        #expect(try await words("/a.png", ThumbnailOptions(width: 7, height: 9)) == "preview")
        #expect(try await words("/a.png", ThumbnailOptions(width: 5)) == "image 5x- 1 7")
        #expect(try await words("/a.png", ThumbnailOptions(width: 9, height: 4)) == "image 9x4 1 7")
        #expect(try await words("/a.png", ThumbnailOptions(page: 2)) == "a.png -x- 2 3")
        #expect(try await words("/a.kra", nil) == "preview" && files.thumbnailOfFileSupported(path: "/a.kra"))
        server.refuses.withLock { $0 = true }
        #expect(try await words("/a.png", nil) == "a.png -x- 1 3")
        await #expect(throws: CocoaError.self) { try await words("/a.kra", nil) }
    }

    @Test("a storage's thumbnail that is merely too large is good enough if it can't be made smaller here")
    func tooLargeThumbnails() async throws {
        func files(_ error: any Error) async throws -> some ExtendedFileProvider {
            let memory = MemoryFileProvider()
            try await memory.writeContents(path: "/a.png", contents: Data("xyz".utf8))
            let generator = MediaGenerator(engine: FailingEngine(error: error))
            return MediaFileProvider(PreviewingFileProvider(memory), generator: generator)
        }
        let broken = try await files(CocoaError(.fileReadCorruptFile))
        let small = ThumbnailOptions(width: 5)
        #expect(try await broken.thumbnailOfFile(path: "/a.png", options: small).data == Data("preview".utf8))
        let other = ThumbnailOptions(width: 5, format: .png)
        await #expect(throws: CocoaError(.fileReadCorruptFile)) {
            try await broken.thumbnailOfFile(path: "/a.png", options: other)
        }
        let cancelled = try await files(CancellationError())
        await #expect(throws: CancellationError.self) {
            try await cancelled.thumbnailOfFile(path: "/a.png", options: small)
        }
    }

    @Test("pictures of many files are the storage's own with one call, else made here, in the order of their paths")
    func manyThumbnails() async throws {
        let memory = MemoryFileProvider()
        for name in ["/a.png", "/a.kra", "/a.pdf", "/a.txt"] as [ItemPath] {
            try await memory.writeContents(path: name, contents: Data("xyz".utf8))
        }
        let server = PreviewingFileProvider(memory)
        let counting = FaultInjectingFileProvider(server)
        let files = MediaFileProvider(counting, generator: MediaGenerator(engine: NamingEngine()))
        let paths: [ItemPath] = ["/a.pdf", "/a.png", "/gone.pdf", "/a.txt", "/a.kra", "/a.png"]
        func words() async throws -> [String?] {
            try await files.thumbnailsOfFiles(paths: paths, options: nil).map { result in
                (try? result.get()).map { String(decoding: $0.data, as: UTF8.self) }
            }
        }
        #expect(try await words() == ["a.pdf -x- 1 3", "preview", nil, nil, "preview", "preview"])
        #expect(counting.count(of: .thumbnailsOfFiles) == 1 && counting.count(of: .thumbnailOfFile) == 0)
        server.refuses.withLock { $0 = true }
        #expect(try await words() == ["a.pdf -x- 1 3", "a.png -x- 1 3", nil, nil, nil, "a.png -x- 1 3"])
    }

    @Test("the storage's own pictures that can't be brought into a format here are made from the files, one or many")
    func unreadableThumbnails() async throws {
        let memory = MemoryFileProvider()
        for name in ["/a.png", "/a.kra"] as [ItemPath] {
            try await memory.writeContents(path: name, contents: Data("xyz".utf8))
        }
        let generator = MediaGenerator(engine: FileNamingEngine())
        let files = MediaFileProvider(PreviewingFileProvider(memory), generator: generator)
        let options = ThumbnailOptions(format: .png)
        let single = try await files.thumbnailOfFile(path: "/a.png", options: options)
        #expect(single.data == Data("a.png -x- 1 3".utf8))
        let paths: [ItemPath] = ["/a.kra", "/a.png"]
        let items = try await files.contentsOfDirectory(path: .root)
        let listed = paths.compactMap { path in items.first { $0.path == path } }
        for results in [
            try await files.thumbnailsOfFiles(paths: paths, options: options),
            try await files.thumbnailsOfFiles(listed: listed, options: options),
        ] {
            try #require(results.count == 2)
            let error = #expect(throws: CocoaError.self) { try results[0].get() }
            #expect(error?.code == .featureUnsupported)
            #expect(try results[1].get() == single)
        }
    }

    @Test("are kept by a cache, until the file changes")
    func cached() async throws {
        let memory = MemoryFileProvider()
        try await memory.writeContents(path: "/a.png", contents: Data("xyz".utf8))
        let counting = CountingFileProvider(memory)
        let media = MediaFileProvider(counting, generator: MediaGenerator(engine: NamingEngine()))
        let later = Date(timeIntervalSinceNow: 3600)
        let files = CachedFileProvider(media, store: CacheStore(at: nil), now: { later })
        let options = ThumbnailOptions(width: 5, height: 5, format: .png)
        for _ in 0..<3 {
            #expect(
                try await files.thumbnailOfFile(path: "/a.png", options: options).data == Data("a.png 5x5 1 3".utf8)
            )
        }
        #expect(counting.reads == 1)
        _ = try await files.thumbnailOfFile(path: "/a.png", options: ThumbnailOptions(width: 5, height: 5))
        #expect(counting.reads == 2)
        let kept = await files.thumbnails(of: "/a.png").map(\.options)
        #expect(Set(kept) == [options, ThumbnailOptions(width: 5, height: 5)])
        try await files.writeContents(path: "/a.png", contents: Data("four".utf8), overwrite: true)
        #expect(try await files.thumbnailOfFile(path: "/a.png", options: options).data == Data("a.png 5x5 1 4".utf8))
    }
}

/// An engine that makes nothing.
private struct FailingEngine: MediaEngine {
    let error: any Error
    var thumbnailExtensions: Set<String> { ["png"] }
    var propertyExtensions: Set<String> { [] }

    func thumbnail(of source: MediaSource, options: ThumbnailOptions) async throws -> Thumbnail { throw error }
    func properties(of source: MediaSource) async throws -> FileProperties { throw error }
}

/// An engine that names files, and can't read the pictures of a storage.
private struct FileNamingEngine: MediaEngine {
    var thumbnailExtensions: Set<String> { NamingEngine().thumbnailExtensions }
    var propertyExtensions: Set<String> { NamingEngine().propertyExtensions }

    func thumbnail(of source: MediaSource, options: ThumbnailOptions) async throws -> Thumbnail {
        guard source.item.name != "image" else { throw CocoaError.unsupported("this picture", path: source.item.path) }
        return try await NamingEngine().thumbnail(of: source, options: options)
    }

    func properties(of source: MediaSource) async throws -> FileProperties {
        try await NamingEngine().properties(of: source)
    }
}

/// A storage that makes thumbnails itself, as a server does.
final class PreviewingFileProvider<Base: FileProviderReadWrite>: FileProviderWrapper, ExtendedFileProvider {
    let base: Base
    let refuses = Mutex(false)

    init(_ base: Base) { self.base = base }

    func thumbnailOfFileSupported(path: ItemPath) -> Bool { ["png", "kra"].contains(path.pathExtension) }
    func propertiesOfFileSupported(path: ItemPath) -> Bool { false }

    func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        if refuses.withLock({ $0 }) { throw CocoaError.unsupported("a preview", path: path) }
        return Thumbnail(data: Data("preview".utf8), contentType: "image/jpeg", width: 7, height: 5)
    }

    func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        throw CocoaError.unsupported("properties", path: path)
    }
}

extension PreviewingFileProvider: FileProviderReadWrite {}
