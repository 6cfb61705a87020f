import FerryCore
import FerryMemory
import Foundation
import Testing

@Suite("The memory storage")
struct MemoryFileProviderTests {
    private let provider = MemoryFileProvider()

    private func write(_ text: String, _ path: ItemPath, to provider: MemoryFileProvider? = nil) async throws {
        let contents = Data(text.utf8)
        try await (provider ?? self.provider).writeContents(path: path, contents: contents, overwrite: true)
    }

    private func read(_ path: ItemPath) async throws -> String {
        String(decoding: try await provider.contents(path: path), as: UTF8.self)
    }

    @Test("a file in parts takes room for what was written of it only, and no length is believed")
    func lyingLength() async throws {
        let options = WriteOptions()
        let write = try await provider.beginPartialWrite(path: "/a", length: .max, options: options)
        #expect(try await provider.writtenRanges(of: write) == [])
        await #expect(throws: URLError.self) { try await provider.finishPartialWrite(write, options: options) }
        try await provider.discardPartialWrite(write)
        await #expect(throws: URLError.self) {
            _ = try await provider.beginPartialWrite(path: "/a", length: -1, options: options)
        }
        #expect(try provider.unfinishedWrites == 0)
    }

    @Test("gives files and folders the date that is asked for, and tells who watches changes")
    func settingDates() async throws {
        try await provider.create(folder: "a", at: "/")
        try await write("x", "/a/b")
        let anchor = try await provider.currentAnchor()
        let date = Date(timeIntervalSince1970: 5_000)
        for path in ["/a", "/a/b"] as [ItemPath] {
            try await provider.setAttributes(ItemAttributes(modifiedDate: date, permissions: 0o600), path: path)
            let item = try await provider.attributesOfItem(path: path)
            #expect(item.modifiedDate == date && item.permissions == nil)
        }
        #expect(try await read("/a/b") == "x")
        let changes = try await provider.changes(since: anchor).changes
        let updated: [ItemPath] = changes.compactMap { change in
            if case .updated(let item, _) = change { item.path } else { nil }
        }
        #expect(Set(updated) == ["/a", "/a/b"])
        let error = await #expect(throws: CocoaError.self) {
            try await provider.setAttributes(ItemAttributes(modifiedDate: date), path: "/none")
        }
        #expect(error?.code == .fileNoSuchFile)
    }

    @Test("leads to an item by its identifier, wherever it moves")
    func identifiers() async throws {
        try await provider.create(folder: "a", at: "/")
        try await write("x", "/a/b")
        let id = try #require(try await provider.attributesOfItem(path: "/a/b").id)
        try await provider.moveItem(path: "/a", to: "/c")
        let path = ItemPath(identifier: id)
        #expect(try await provider.attributesOfItem(path: path).path == "/c/b")
        #expect(try await read(path) == "x")
        try await write("y", path)
        #expect(try await read("/c/b") == "y")
        try await provider.removeItem(path: "/c")
        await #expect(throws: CocoaError.self) { try await provider.attributesOfItem(path: path) }
    }

    @Test("keeps as many versions as it should, latest first")
    func versions() async throws {
        let provider = MemoryFileProvider(maximumVersions: 2)
        for number in 1...5 { try await write("\(number)", "/a", to: provider) }
        let versions = try await provider.versions(of: "/a")
        var contents: [String] = []
        for version in versions {
            let data = try await provider.contentStream(of: version, path: "/a").collect()
            contents.append(String(decoding: data, as: UTF8.self))
        }
        #expect(contents == ["4", "3"])
        try await provider.restore(versions[1], of: "/a")
        #expect(try await provider.contents(path: "/a") == Data("3".utf8))
    }

    @Test("never holds more bytes than it may, and knows how many it holds")
    func capacity() async throws {
        let provider = MemoryFileProvider(capacity: 100)
        try await provider.writeContents(path: "/a", contents: Data(count: 60))
        let copy = await #expect(throws: CocoaError.self) { try await provider.copyItem(path: "/a", to: "/b") }
        #expect(copy?.code == .fileWriteOutOfSpace)
        try await provider.writeContents(path: "/a", contents: Data(count: 100), overwrite: true)
        #expect(try await provider.storageProperties().availableCapacity == 0)
        try await provider.removeItem(path: "/a")
        #expect(try await provider.storageProperties().usedCapacity == 0)
    }

    @Test("follows links inside of it, and none in a circle or to the outside")
    func links() async throws {
        try await provider.create(folder: "a", at: "/")
        try await write("x", "/a/file")
        try await provider.create(symbolicLink: "/link", withDestination: "a")
        try await provider.create(symbolicLink: "/a/up", withDestination: "../a/file")
        #expect(try await read("/link/up") == "x")
        try await write("y", "/link/up")
        #expect(try await read("/a/file") == "y")
        try await provider.create(symbolicLink: "/circle", withDestination: "circle")
        try await provider.create(symbolicLink: "/out", withDestination: "../../etc/passwd")
        for path in ["/circle", "/out"] as [ItemPath] {
            let error = await #expect(throws: CocoaError.self) { try await read(path) }
            #expect(error?.code != .fileNoSuchFile)
        }
    }

    @Test("a download that replaces a local file keeps its permissions, and leaves nothing beside it")
    func downloadPermissions() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "secret")
        try Data("old".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path())
        try await write("new", "/a")
        try await provider.copyItem(path: "/a", toLocalURL: file, overwrite: true)
        #expect(try Data(contentsOf: file) == Data("new".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path())[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["secret"])
    }

    @Test("tells watchers what they can see: what moves in is new, what moves out is gone")
    func watching() async throws {
        for folder in ["in", "out"] { try await provider.create(folder: folder, at: "/") }
        try await write("x", "/out/a")
        let changes = try await provider.changes(under: "/in")
        try await provider.moveItem(path: "/out/a", to: "/in/a")
        try await provider.moveItem(path: "/in/a", to: "/in/b")
        try await write("y", "/in/b")
        try await provider.moveItem(path: "/in/b", to: "/out/b")
        try await provider.removeItem(path: "/in")
        var seen: [FileChange] = []
        for try await change in changes { seen.append(change) }
        #expect(
            seen == [
                FileChange(.created, path: "/in/a"), FileChange(.moved(from: "/in/a"), path: "/in/b"),
                FileChange(.removed, path: "/in/b"), FileChange(.removed, path: "/in"),
            ]
        )
    }
}
