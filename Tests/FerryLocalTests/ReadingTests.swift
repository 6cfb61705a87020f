import FerryCore
import Foundation
import NIOCore
import Testing

@testable import FerryLocal

@Suite("Reading and listing")
struct ReadingTests {
    @Test(
        "any range of a file comes as it is",
        arguments: [
            (ByteRange.all, 0..<600_000), (.from(599_999), 599_999..<600_000), (.from(700_000), 600_000..<600_000),
            (.bytes(10..<20), 10..<20), (.bytes(599_990..<700_000), 599_990..<600_000), (.last(20), 599_980..<600_000),
            (.last(700_000), 0..<600_000), (.bytes(5..<5), 5..<5),
        ]
    )
    func ranges(range: ByteRange, expected: Range<Int>) async throws {
        let folder = try TemporaryFolder()
        let bytes = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
        try bytes.write(to: URL(filePath: folder.path("file")))
        let stream = try await folder.provider().contentStream(path: "/file", range: range)
        #expect(stream.facts.size == 600_000)
        #expect(try await stream.collect() == bytes[expected])
    }

    @Test("a stream that is left, or never read, closes its file")
    func closes() async throws {
        let folder = try TemporaryFolder()
        try Data(count: 1 << 20).write(to: URL(filePath: folder.path("file")))
        let provider = folder.provider()
        for _ in 0..<10 {
            let stream = try await provider.contentStream(path: "/file")
            for try await chunk in stream {
                #expect(chunk.readableBytes <= 256 << 10)
                break
            }
            _ = try await provider.contentStream(path: "/file")
            _ = try await provider.contents(path: "/file")
            for try await _ in provider.directoryListing(path: "/") { break }
        }
        try await untilOpenFiles(below: folder.path() + "/") { $0 == 0 }
    }

    @Test("a file that gets shorter while it is read is an error, never a short file")
    func shrinks() async throws {
        let folder = try TemporaryFolder()
        try Data(count: 1 << 20).write(to: URL(filePath: folder.path("file")))
        let stream = try await folder.provider().contentStream(path: "/file")
        await #expect(throws: URLError.self) {
            for try await _ in stream { truncate(folder.path("file"), 300_000) }
        }
    }

    @Test("a listing comes in pages, and shows what the system knows")
    func lists() async throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("folder/sub")
        for index in 0..<2_500 { try folder.write("x", to: "folder/file\(index)") }
        try folder.link("folder/link", to: "file1")
        var pages = 0
        var items: [FileObject] = []
        for try await page in folder.provider().directoryListing(path: "/folder") {
            pages += 1
            items += page
        }
        #expect(pages >= 3)
        #expect(Set(items.map(\.name)).count == 2_502)
        let file = try #require(items.first { $0.name == "file7" })
        #expect(file.size == 1)
        #expect(file.type == .file)
        #expect(file.permissions == 0o644)
        #expect(file.path == "/folder/file7")
        #expect(file.modifiedDate.map { abs($0.timeIntervalSinceNow) < 600 } == true)
        let details = try await folder.provider().attributesOfItem(path: "/folder/file7")
        #expect(details.id == file.id)
        #expect(details.eTag == file.eTag)
        #expect(details.extras[.linkCount] == 1)
        let link = try await folder.provider().attributesOfItem(path: "/folder/link")
        #expect(link.type == .symlink)
        #expect(link.size == nil)
        #expect(link.extras[.linkDestination] == "file1")
        #expect(items.first { $0.name == "sub" }?.size == nil)
    }

    @Test("items that vanish during a listing are left out")
    func vanishing() async throws {
        let folder = try TemporaryFolder()
        for index in 0..<3_000 { try folder.write("", to: "f\(index)") }
        var pages = folder.provider().directoryListing(path: "/").makeAsyncIterator()
        let first = try #require(try await pages.next())
        for index in 0..<3_000 { unlink(folder.path("f\(index)")) }
        var rest = 0
        while let page = try await pages.next() { rest += page.count }
        #expect(first.count == 1_000)
        #expect(rest == 0)
    }

    @Test("identifier and version change when they should")
    func versions() async throws {
        let folder = try TemporaryFolder()
        let provider = folder.provider()
        try folder.write("one", to: "a")
        let before = try await provider.attributesOfItem(path: "/a")
        try await provider.moveItem(path: "/a", to: "/b")
        let moved = try await provider.attributesOfItem(path: "/b")
        #expect(moved.id == before.id)
        #expect(moved.eTag == before.eTag)
        setDate(timespec(tv_sec: 1, tv_nsec: 1), of: folder.path("b"))
        #expect(try await provider.attributesOfItem(path: "/b").eTag != before.eTag)
        #expect(before.id.map { $0.utf8.count <= 15 } == true)
        #expect(before.eTag.map { $0.utf8.count <= 15 } == true)
    }

    @Test("a link is removed, never what it leads to")
    func removesLinks() async throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "folder/file")
        try folder.link("link", to: "folder")
        try folder.makeFolder("other")
        try folder.link("other/link", to: "../folder")
        let provider = folder.provider()
        try await provider.removeItem(path: "/link")
        try await provider.removeItem(path: "/other")
        #expect(try folder.names() == ["folder", "folder/file"])
        await expect(.fileWriteNoPermission) { try await provider.removeItem(path: "/") }
        await expect(.fileNoSuchFile) { try await provider.removeItem(path: "/gone") }
        #expect(folder.read("folder/file") == "x")
    }

    @Test("nothing stays open after operations of all kinds")
    func openFilesStay() async throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "base/tree/a/b")
        let provider = folder.provider("base")
        for _ in 0..<20 {
            try await provider.copyItem(path: "/tree", to: "/copy")
            try await provider.copyItem(path: "/tree", to: "/copy", overwrite: true)
            try await provider.moveItem(path: "/copy", to: "/moved")
            try await provider.removeItem(path: "/moved")
            try await provider.writeContents(path: "/file", contents: Data("x".utf8), overwrite: true)
            _ = try? await provider.contents(path: "/gone/x")
            _ = try? await provider.copyItem(path: "/tree", to: "/tree/a/c")
        }
        try await untilOpenFiles(below: folder.path("base") + "/") { $0 == 0 }
        try await untilOpenFiles(below: folder.path("base")) { $0 == 1 }  // the base folder itself
    }

    @Test("a base folder that is missing says nothing about what is in it", arguments: ["file:///gone-", "https://a/"])
    func withoutBase(url: String) async throws {
        let provider = LocalFileProvider(baseURL: try #require(URL(string: url + UUID().uuidString)))
        await expect(.fileNoSuchFile) { _ = try await provider.attributesOfItem(path: "/") }
        #expect(try await !provider.isReachable())
        await expect(.fileReadUnknown) { _ = try await provider.attributesOfItem(path: "/a") }
        await expect(.fileReadUnknown) { _ = try await provider.contents(path: "/a") }
        await expect(.fileReadUnknown) { _ = try await provider.contentsOfDirectory(path: "/a") }
        await expect(.fileWriteUnknown) { try await provider.writeContents(path: "/a", contents: Data()) }
        await expect(.fileWriteUnknown) { try await provider.create(folder: "b", at: "/a", creatingParents: true) }
    }

    @Test("folders are made with what is missing above them, also by many at the same time")
    func createsFolders() async throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "file")
        let provider = folder.provider()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { try await provider.create(folder: "c", at: "/a/b", creatingParents: true) }
            }
            try await group.waitForAll()
        }
        try await provider.create(folder: "c", at: "/a/b", creatingParents: true)
        await expect(.fileWriteFileExists) { try await provider.create(folder: "c", at: "/a/b") }
        await expect(.fileNoSuchFile) { try await provider.create(folder: "x", at: "/gone") }
        await expect(.fileWriteUnknown) {
            try await provider.create(folder: "x", at: "/file", creatingParents: true)
        }
        #expect(try folder.names() == ["a", "a/b", "a/b/c", "file"])
    }
}
