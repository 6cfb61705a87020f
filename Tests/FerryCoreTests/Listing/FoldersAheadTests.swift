import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

/// A storage that notes how many folders are listed at the same time, and gets each done only when others were begun.
private final class Noting: FileProviderWrapper {
    let base: MemoryFileProvider
    private let counts = Mutex((now: 0, most: 0, total: 0))
    private let broken: ItemPath?

    init(_ base: MemoryFileProvider, broken: ItemPath? = nil) {
        self.base = base
        self.broken = broken
    }

    var most: Int { counts.withLock { $0.most } }
    var total: Int { counts.withLock { $0.total } }
    var now: Int { counts.withLock { $0.now } }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing { [self] in
            counts.withLock { counts in
                counts.now += 1
                counts.total += 1
                counts.most = max(counts.most, counts.now)
            }
            let pages = Pages(base.directoryListing(path: path).makeAsyncIterator())
            return { [self] in
                for _ in 0..<20 { await Task.yield() }
                if path == broken { throw CocoaError(.fileReadNoPermission) }
                let page = try await pages.next()
                if page == nil { counts.withLock { $0.now -= 1 } }
                return page
            }
        }
    }

    private actor Pages {
        var iterator: DirectoryListing.AsyncIterator
        init(_ iterator: DirectoryListing.AsyncIterator) { self.iterator = iterator }
        func next() async throws -> [FileObject]? {
            var advancing = iterator
            defer { iterator = advancing }
            return try await advancing.next()
        }
    }
}

@Suite("A walk that lists folders ahead")
struct FoldersAheadTests {
    private func tree(_ seed: UInt64, items: Int) async throws -> MemoryFileProvider {
        let memory = MemoryFileProvider(pageSize: 7)
        var random = SeededGenerator(seed: seed)
        var folders: [ItemPath] = [.root]
        for number in 0..<items {
            let folder = folders.randomElement(using: &random) ?? .root
            let name = "item \(number)"
            if Int.random(in: 0..<3, using: &random) == 0 {
                try await memory.create(folder: name, at: folder)
                folders.append(folder.appending(name))
            } else {
                try await memory.writeContents(path: folder.appending(name), contents: Data())
            }
        }
        return memory
    }

    private func elements(_ walk: TreeWalk) async throws -> [String] {
        var elements: [String] = []
        for try await element in walk {
            switch element {
            case .page(let items, let folder): elements.append("\(folder): \(items.map(\.name))")
            case .failure(let error, let folder): elements.append("\(folder): \((error as NSError).code)")
            }
        }
        return elements
    }

    @Test("meets the same in the same order, whatever is listed at the same time", arguments: 0..<10)
    func order(seed: UInt64) async throws {
        let memory = try await tree(seed, items: 200)
        let alone = Noting(memory, broken: "/item 3")
        let together = Noting(memory, broken: "/item 3")
        let expected = try await elements(TreeWalk(alone, path: "/", concurrency: 1))
        #expect(try await elements(TreeWalk(together, path: "/", concurrency: 8)) == expected)
        #expect(alone.most <= 2)
        #expect(together.total == alone.total)
    }

    @Test("lists as many at the same time as it is told, and no more than one besides")
    func concurrency() async throws {
        let memory = MemoryFileProvider()
        for number in 0..<100 { try await memory.create(folder: "\(number)", at: "/") }
        let noting = Noting(memory)
        _ = try await elements(TreeWalk(noting, path: "/", concurrency: 8))
        #expect((2...9).contains(noting.most))
        #expect(noting.total == 101)
    }

    @Test("lists a folder with very many items when its turn comes, completely")
    func large() async throws {
        let memory = MemoryFileProvider()
        for folder in ["a", "b"] {
            try await memory.create(folder: folder, at: "/")
            for number in 0..<5000 {
                try await memory.writeContents(path: ItemPath("/\(folder)").appending("\(number)"), contents: Data())
            }
        }
        var count = 0
        for try await element in TreeWalk(memory, path: "/", concurrency: 8) {
            if case .page(let items, _) = element { count += items.count }
        }
        #expect(count == 10_002)
    }

    @Test("that is left asks for no more")
    func left() async throws {
        let memory = MemoryFileProvider()
        for number in 0..<1000 { try await memory.create(folder: "\(number)", at: "/") }
        let noting = Noting(memory)
        for try await element in TreeWalk(noting, path: "/", concurrency: 4) {
            if case .page(_, let folder) = element, folder != .root { break }
        }
        #expect(noting.total < 200)
    }
}
