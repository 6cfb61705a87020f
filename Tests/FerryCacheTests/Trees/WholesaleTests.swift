import FerryCache
import FerryCore
import FerryMemory
import Foundation
import Testing

@Suite("Of a storage that lists whole trees, and takes many files at once")
struct WholesaleTests {
    private typealias Storage = WholesaleFileProvider<MemoryFileProvider>

    @Test("a tree is listed once, and each of its folders is kept, empty ones too")
    func tree() async throws {
        let (memory, storage, files) = try await Self.storage()
        #expect(try await Self.walk(files) == Self.tree)
        #expect(try await Self.walk(files) == Self.tree)
        #expect(storage.trees == 1)
        let offline = files.withCaching(.onlyIfCached)
        #expect(offline.treeListing(path: "/") == nil)
        #expect(try await Self.walk(offline) == Self.tree)
        #expect(try await offline.contentsOfDirectory(path: "/d/empty").isEmpty)

        try await files.writeContents(path: "/d/new", contents: Data("new".utf8))
        #expect(try await Self.walk(files) == Self.tree.union(["/d/new"]))
        #expect(storage.trees == 2)

        try await memory.removeItem(path: "/d/e")
        #expect(try await Self.walk(files).contains("/d/e/c"))
        let now = try await Self.walk(files.withCaching(.validate))
        #expect(now == Self.tree.subtracting(["/d/e", "/d/e/c"]).union(["/d/new"]))
        await #expect(throws: URLError.self) { try await offline.contentsOfDirectory(path: "/d/e") }
    }

    @Test("a tree that breaks off is not kept", arguments: [0, 1, 2])
    func broken(after pages: Int) async throws {
        let (_, storage, files) = try await Self.storage()
        storage.breakTrees(after: pages)
        await #expect(throws: URLError(.networkConnectionLost)) {
            for try await _ in try #require(files.treeListing(path: "/")) {}
        }
        await #expect(throws: URLError.self) {
            try await files.withCaching(.onlyIfCached).contentsOfDirectory(path: "/")
        }
        storage.breakTrees(after: nil)
        #expect(try await Self.walk(files) == Self.tree)
    }

    @Test("files that are written together are forgotten together, those that were refused too")
    func bulk() async throws {
        let memory = MemoryFileProvider()
        let storage = Storage(memory, refusing: ["c"])
        let files = CachedFileProvider(storage, store: CacheStore(at: nil))
        for name in ["a", "b", "c"] {
            try await memory.writeContents(path: ItemPath.root.appending(name), contents: Data("old".utf8))
        }
        for name in ["a", "b", "c"] { _ = try await files.contents(path: ItemPath.root.appending(name)) }
        _ = try await files.contentsOfDirectory(path: "/")

        let new = ["a", "c", "d"].map { BulkFile(path: ItemPath.root.appending($0), contents: Data("newer".utf8)) }
        let results = try await files.writeFiles(new, overwrite: true)
        #expect(results.map { (try? $0.get())?.size } == [5, nil, 5])
        #expect(storage.bulks == 1)
        let offline = files.withCaching(.onlyIfCached)
        for path in ["/a", "/c", "/d"] as [ItemPath] {
            await #expect(throws: URLError.self, "\(path)") { try await offline.contents(path: path) }
        }
        #expect(try await offline.contents(path: "/b") == Data("old".utf8))
        #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a", "b", "c", "d"])
        #expect(try await files.contents(path: "/a") == Data("newer".utf8))
        #expect(try await files.contents(path: "/c") == Data("old".utf8))
    }

    private static let tree: Set<ItemPath> = ["/a", "/d", "/d/b", "/d/e", "/d/e/c", "/d/empty"]

    private static func storage() async throws -> (MemoryFileProvider, Storage, CachedFileProvider<Storage>) {
        let memory = MemoryFileProvider()
        for path in tree.sorted() {
            if ["/d", "/d/e", "/d/empty"].contains(path) {
                try await memory.create(folder: path.lastName, at: path.parent)
            } else {
                try await memory.writeContents(path: path, contents: Data(path.lastName.utf8))
            }
        }
        let storage = Storage(memory)
        return (memory, storage, CachedFileProvider(storage, store: CacheStore(at: nil)))
    }

    private static func walk(_ files: some FileProviderBasic) async throws -> Set<ItemPath> {
        var paths: Set<ItemPath> = []
        for try await element in TreeWalk(files, path: "/") {
            switch element {
            case .failure(let error, _): throw error
            case .page(let items, _): paths.formUnion(items.map(\.path))
            }
        }
        return paths
    }
}
