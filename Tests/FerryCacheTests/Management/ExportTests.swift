import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryCache

@Suite("What can be read offline, written out")
struct ExportTests {
    private let target = MemoryFileProvider()

    /// A storage of which some files were read, one of them in part.
    private func used(_ store: CacheStore) async throws -> CachedMemory {
        let cached = CachedMemory(store: store)
        try await cached.memory.create(folder: "e", at: "/d", creatingParents: true)
        for (path, text) in [("/a", "top"), ("/d/b", "two"), ("/d/e/c", ""), ("/d/p", "in part"), ("/d/n", "never")] {
            try await cached.write(ItemPath(path) ?? "/", text)
        }
        for path in ["/a", "/d/b", "/d/e/c"] as [ItemPath] { _ = try await cached.read(path) }
        _ = try await cached.files.contents(path: "/d/p", offset: 0, length: 3)
        return cached
    }

    private func text(_ path: ItemPath) async throws -> String {
        String(decoding: try await target.contents(path: path), as: UTF8.self)
    }

    @Test("is what was read whole, with its dates and folders, and the storage isn't asked", arguments: [true, false])
    func all(isOnDisk: Bool) async throws {
        try await StoreFolder.with { folder in
            let cached = try await used(isOnDisk ? folder.store() : CacheStore(at: nil))
            let calls = cached.counted.calls.count
            let export = try await cached.files.exportOffline(to: target, at: "/out/all")
            #expect(cached.counted.calls.count == calls)
            #expect(export.files == 3 && export.bytes == 6)
            #expect(export.failures.map(\.path) == ["/d/p"])
            #expect((export.failures.first?.error as? URLError)?.code == .resourceUnavailable)
            #expect(try await text("/out/all/a") == "top")
            #expect(try await text("/out/all/d/b") == "two")
            #expect(try await text("/out/all/d/e/c") == "")
            #expect(try await target.contentsOfDirectory(path: "/out/all/d").map(\.name).sorted() == ["b", "e"])
            let date = try await cached.memory.attributesOfItem(path: "/d/b").modifiedDate
            #expect(try await target.attributesOfItem(path: "/out/all/d/b").modifiedDate == date)
        }
    }

    @Test("is of one folder or one file, and replaces nothing")
    func part() async throws {
        let cached = try await used(CacheStore(at: nil))
        let folder = try await cached.files.exportOffline(below: "/d", to: target, at: "/")
        #expect(folder.files == 2)
        #expect(try await text("/b") == "two")
        let file = try await cached.files.exportOffline(below: "/a", to: target, at: "/one")
        #expect(file.files == 1 && file.failures.isEmpty)
        #expect(try await text("/one/a") == "top")
        try await target.writeContents(path: "/one/a", contents: Data("mine".utf8), overwrite: true)
        let again = try await cached.files.exportOffline(below: "/a", to: target, at: "/one")
        #expect(again.files == 0 && again.failures.map(\.path) == ["/a"])
        #expect((again.failures.first?.error as? CocoaError)?.code == .fileWriteFileExists)
        #expect(try await text("/one/a") == "mine")
        #expect(try await cached.files.exportOffline(below: "/x", to: target, at: "/x").files == 0)
        await #expect(throws: CocoaError.self) {
            try await cached.files.exportOffline(to: target, at: "/one/a")
        }
    }
}
