import FerryCache
import FerryCore
import FerryMedia
import FerryMemory
import FerryTestServers
import Foundation
import Testing

@Suite("The guide to thumbnails")
struct ThumbnailsGuideTests {
    @Test("shows code that compiles and works: this very code", .timeLimit(.minutes(30)))
    func code() async throws {
        let cloud = MemoryFileProvider()
        let png = try await Programs.generator.scaleDown(
            image: Samples.svg(),
            to: ThumbnailOptions(width: 100, format: .png)
        )
        try await cloud.writeContents(path: "/boat.svg", contents: Samples.svg())
        try await cloud.writeContents(path: "/boat.png", contents: png.data)
        try await cloud.writeContents(path: "/red.colour", contents: Data("red".utf8))
        let store = CacheStore(at: nil)
        // begin
        let photos = MediaFileProvider(cloud)
        let options = ThumbnailOptions(width: 256, height: 256)
        let small = try await photos.thumbnailOfFile(path: "/boat.svg", options: options)
        print(small.contentType, small.width ?? 0, "×", small.height ?? 0)
        // end
        #expect(small.width == 256 && small.height == 192)
        // begin
        let album: [ItemPath] = ["/boat.svg", "/boat.png", "/gone.png"]
        let pictures = try await photos.thumbnailsOfFiles(paths: album, options: options)
        for case .success(let picture) in pictures { print(picture.data.count) }
        // end
        #expect(pictures.map { (try? $0.get()) != nil } == [true, true, false])
        // begin
        let properties = try await photos.propertiesOfFile(path: "/boat.png")
        if case .size(let size)? = properties[.dimensions] { print(size.width, size.height) }
        for property in properties.properties { print(property.name, property.text) }
        // end
        #expect(properties[.dimensions] == .size(.init(width: 100, height: 75)))
        // begin
        var generator = MediaGenerator()
        generator.registerThumbnails(forExtensions: ["colour"]) { source, options in
            let name = String(decoding: try await source.contents(), as: UTF8.self)
            let square = "<rect width='64' height='64' fill='\(name)'/>"
            let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'>\(square)</svg>"
            return try await MediaGenerator().scaleDown(image: Data(svg.utf8), to: options)
        }
        let drawings = MediaFileProvider(cloud, generator: generator)
        let square = try await drawings.thumbnailOfFile(path: "/red.colour", options: nil)
        // end
        #expect(square.width == 64)
        // begin
        let kept = CachedFileProvider(photos, store: store)
        let first = try await kept.thumbnailOfFile(path: "/boat.svg", options: options)
        let again = try await kept.thumbnailOfFile(path: "/boat.svg", options: options)  // makes none
        // end
        #expect(first == again)
        let examples = try CompiledExamples()
        #expect(examples.texts.count == 5)
        #expect(try examples.missing(from: "../../../Sources/FerryMedia/FerryMedia.docc/Thumbnails.md") == [])
    }
}
