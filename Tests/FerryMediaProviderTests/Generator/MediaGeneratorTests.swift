import FerryCore
import Foundation
import Testing

@testable import FerryMedia

/// An engine that says what it was asked for.
struct NamingEngine: MediaEngine {
    var thumbnailExtensions: Set<String> { ["pdf", "png"] }
    var propertyExtensions: Set<String> { ["pdf"] }

    func thumbnail(of source: MediaSource, options: ThumbnailOptions) async throws -> Thumbnail {
        let sides = [options.width, options.height].map { $0.map { String($0) } ?? "-" }
        let words = "\(source.item.name) \(sides[0])x\(sides[1]) \(options.page) \(try await source.contents().count)"
        return Thumbnail(data: Data(words.utf8), contentType: "text/plain")
    }

    func properties(of source: MediaSource) async throws -> FileProperties {
        FileProperties([.init(.title, .text(source.item.name))])
    }
}

@Suite("A generator of thumbnails and properties")
struct MediaGeneratorTests {
    private func words(_ thumbnail: Thumbnail) -> String { String(decoding: thumbnail.data, as: UTF8.self) }

    @Test("learns more kinds of files, and other ways for those it knows, as a value does")
    func registering() async throws {
        let plain = MediaGenerator(engine: NamingEngine())
        var more = plain
        more.registerThumbnails(forExtensions: ["Drawing", "png"]) { source, options in
            guard source.item.mediaExtension == "drawing" else {
                return try await plain.thumbnail(of: source, options: options)
            }
            return Thumbnail(data: Data("drawn".utf8), contentType: "text/plain")
        }
        more.registerProperties(forExtensions: ["drawing"]) { _ in FileProperties([.init(.author, .text("Ada"))]) }
        #expect(
            more.thumbnailExtensions == ["pdf", "png", "drawing"] && more.propertyExtensions == ["pdf", "drawing"]
        )
        #expect(more.makesThumbnails(forExtension: "DRAWING") && !plain.makesThumbnails(forExtension: "drawing"))
        #expect(more.readsProperties(forExtension: "drawing") && !plain.readsProperties(forExtension: "drawing"))
        let drawing = MediaSource(Data("x".utf8), named: "a.DRAWING")
        #expect(words(try await more.thumbnail(of: drawing)) == "drawn")
        #expect(try await more.properties(of: drawing)[.author] == .text("Ada"))
        let png = MediaSource(Data("xyz".utf8), named: "a.png")
        #expect(words(try await more.thumbnail(of: png)) == "a.png -x- 1 3")
        #expect(try await more.properties(of: MediaSource(Data(), named: "a.pdf"))[.title] == .text("a.pdf"))
    }

    @Test("is a maker of thumbnails, by the name alone, and not of folders")
    func maker() {
        let generator = MediaGenerator(engine: NamingEngine())
        #expect(generator.makesThumbnails(of: FileObject(path: "/a.PDF", type: .file)))
        #expect(!generator.makesThumbnails(of: FileObject(path: "/a.pdf", type: .directory)))
        #expect(!generator.makesThumbnails(of: FileObject(path: "/pdf", type: .file)))
    }

    @Test("makes pictures of pages, and pictures smaller")
    func contents() async throws {
        let generator = MediaGenerator(engine: NamingEngine())
        let pdf = Data("%PDF".utf8)
        #expect(words(try await generator.convertToImage(pdf: pdf, page: 3)) == "document.pdf 1024x1024 3 4")
        let small = ThumbnailOptions(width: 10, height: 20)
        #expect(words(try await generator.convertToImage(pdf: pdf, options: small)) == "document.pdf 10x20 1 4")
        #expect(words(try await generator.scaleDown(image: Data([1]), to: small)) == "image 10x20 1 1")
    }

    @Test("is the program ferry-media unless it is told otherwise")
    func usual() async throws {
        #expect(MediaGenerator().engine is MediaHelper)
        let generator = Programs.generator
        let svg = Samples.svg()
        let png = try await generator.scaleDown(image: svg, to: ThumbnailOptions(width: 40, height: 40, format: .png))
        #expect(png.width == 40 && png.height == 30 && png.contentType == "image/png")
        let smaller = try await generator.scaleDown(image: png.data, to: ThumbnailOptions(width: 20, format: .webP))
        #expect(smaller.width == 20 && smaller.height == 15 && smaller.contentType == "image/webp")
        let same = try await generator.scaleDown(image: png.data, to: ThumbnailOptions(height: 400))
        #expect(same.width == 40 && same.height == 30)
        let filled = ThumbnailOptions(width: 16, mode: .fill, format: .jpeg)
        let square = try await generator.scaleDown(image: png.data, to: filled)
        #expect(square.width == 16 && square.height == 16 && square.data.starts(with: [0xFF, 0xD8]))
        let error = await #expect(throws: CocoaError.self) {
            try await generator.scaleDown(image: Data("no picture".utf8), to: filled)
        }
        #expect([.featureUnsupported, .fileReadCorruptFile].contains(error?.code))
    }
}
