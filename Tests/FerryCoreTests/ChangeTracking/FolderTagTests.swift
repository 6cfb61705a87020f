import FerryMemory
import Foundation
import Synchronization
import Testing

@testable import FerryCore

/// A storage whose folders have eTags that change with everything below them.
private final class Tagging: FileProviderWrapper {
    let base = MemoryFileProvider()
    private let listed = Mutex<[ItemPath]>([])

    var takeListed: [ItemPath] {
        listed.withLock { listed in
            defer { listed = [] }
            return listed.sorted()
        }
    }

    private func tagged(_ file: FileObject) async throws -> FileObject {
        guard file.isDirectory else { return file }
        var file = file
        let below = try await base.searchFiles(path: file.path, recursive: true, query: .all, foundItemHandler: nil)
        file.eTag = below.map { "\($0.path) \($0.eTag ?? "")" }.sorted().joined()
        return file
    }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await tagged(base.attributesOfItem(path: path))
    }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        listed.withLock { $0.append(path) }
        return DirectoryListing.paged { (_: Int?) in
            var items: [FileObject] = []
            for item in try await self.base.contentsOfDirectory(path: path) {
                items.append(try await self.tagged(item))
            }
            return (items, nil)
        }
    }

    func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        crawl(path: path, recursive: recursive, query: query)
    }
}

@Suite("A snapshot of a storage whose folders' eTags change with what is below them")
struct FolderTagTests {
    @Test("is compared by listing only the folders in which something has changed")
    func walk() async throws {
        let tagging = Tagging()
        for folder in ["a", "b"] {
            try await tagging.base.create(folder: folder, at: "/")
            try await tagging.base.create(folder: "in", at: ItemPath("/\(folder)"))
            try await tagging.base.writeContents(path: ItemPath("/\(folder)/in/file"), contents: Data([1]))
        }
        let start = try await TreeSnapshot(of: tagging, below: .root, trustsFolderTags: true)
        #expect(tagging.takeListed == ["/", "/a", "/a/in", "/b", "/b/in"])
        let same = try await start.compare(with: tagging, trustsFolderTags: true)
        #expect(same.changes.isEmpty)
        #expect(tagging.takeListed.isEmpty)

        try await tagging.base.writeContents(path: "/b/in/file", contents: Data([1, 2]), overwrite: true)
        let (changes, now) = try await start.compare(with: tagging, trustsFolderTags: true)
        #expect(tagging.takeListed == ["/", "/b", "/b/in"])
        #expect(changes.count == 1)
        #expect(now.paths == start.paths)

        try await tagging.base.removeItem(path: "/a")
        let read = try TreeSnapshot(now.anchor())
        let (removed, last) = try await read.compare(with: tagging, trustsFolderTags: true)
        #expect(tagging.takeListed == ["/"])
        guard case .removed(let path, _)? = removed.first, removed.count == 1 else {
            Issue.record("\(removed)")
            return
        }
        #expect(path == "/a")
        #expect(last.paths == ["/b", "/b/in", "/b/in/file"])
    }
}
