import FerryCore
import FerryMemory
import Foundation
import Testing

/// A storage whose folders below `/bad` can't be listed.
private struct Broken: FileProviderWrapper {
    let base: MemoryFileProvider

    func directoryListing(path: ItemPath) -> DirectoryListing {
        guard path == "/bad" else { return base.directoryListing(path: path) }
        return DirectoryListing { { throw CocoaError(.fileReadNoPermission) } }
    }

    func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        crawl(path: path, recursive: recursive, query: query)
    }
}

@Suite("A walk over a tree")
struct TreeWalkTests {
    private let memory = MemoryFileProvider(pageSize: 2)

    private func makeTree() async throws {
        for folder in ["a", "bad", "c"] {
            try await memory.create(folder: folder, at: "/")
            for name in ["1", "2", "3"] {
                try await memory.writeContents(path: ItemPath.root.appending(folder).appending(name), contents: Data())
            }
        }
    }

    @Test("meets every item once, folders before what is in them")
    func all() async throws {
        try await makeTree()
        var paths: [String] = []
        for try await element in TreeWalk(memory, path: "/") {
            guard case .page(let items, _) = element else { continue }
            paths += items.map(\.path.string)
        }
        let below = ["/a", "/bad", "/c"].flatMap { folder in ["1", "2", "3"].map { "\(folder)/\($0)" } }
        #expect(paths == ["/a", "/bad", "/c"] + below)
    }

    @Test("tells of a folder that can't be listed, and goes on")
    func failure() async throws {
        try await makeTree()
        var failures: [ItemPath] = []
        var count = 0
        for try await element in TreeWalk(Broken(base: memory), path: "/") {
            switch element {
            case .page(let items, _): count += items.count
            case .failure(_, let folder): failures.append(folder)
            }
        }
        #expect(failures == ["/bad"])
        #expect(count == 9)
    }

    @Test("enters folders in an order, leaves out hidden ones, and tells of empty ones")
    func order() async throws {
        for folder in ["b10", "b9", ".git", "c"] { try await memory.create(folder: folder, at: "/") }
        try await memory.create(folder: "objects", at: "/.git")
        for name in ["z", "y", ".x"] {
            try await memory.writeContents(path: ItemPath("/b9").appending(name), contents: Data())
        }
        var seen: [String] = []
        let order = FileObjectSorting(by: .name)
        for try await element in TreeWalk(memory, path: "/", includesHidden: false, order: order) {
            guard case .page(let items, let folder) = element else { continue }
            seen.append("\(folder): \(items.map(\.name).joined(separator: " "))")
        }
        #expect(seen == ["/: b9 b10 c", "/b9: y z", "/b10: ", "/c: "])
    }

    @Test("a search over it is an error, never a shorter result")
    func search() async throws {
        try await makeTree()
        let error = await #expect(throws: CocoaError.self) {
            try await Broken(base: memory).searchFiles(
                path: "/",
                recursive: true,
                query: .all,
                foundItemHandler: nil
            )
        }
        #expect(error?.code == .fileReadNoPermission)
    }

    @Test("pages by token end with an error when a token comes twice")
    func repeatedToken() async throws {
        let listing = DirectoryListing.paged { (token: Int?) in ([], (token ?? 0) == 2 ? 2 : (token ?? 0) + 1) }
        await #expect(throws: URLError.self) { for try await _ in listing {} }
    }
}
