import FerryMemory
import Foundation
import Synchronization
import Testing

@testable import FerryCore

/// A storage that can't tell a new file from its next version, as those whose dates have whole seconds.
private final class Coarse: FileProviderWrapper {
    let base = MemoryFileProvider()
    private let freshListings: Mutex<Int>
    private let edit: @Sendable (MemoryFileProvider) async throws -> Void

    /// Makes one whose files are fresh in so many listings; after each the storage is edited.
    init(freshListings: Int, edit: @escaping @Sendable (MemoryFileProvider) async throws -> Void = { _ in }) {
        self.freshListings = Mutex(freshListings)
        self.edit = edit
    }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing.paged { (_: Int?) in
            let isFresh = self.freshListings.withLock { left in
                left -= 1
                return left >= 0
            }
            let items = try await self.base.contentsOfDirectory(path: path).map { file in
                var file = file
                file.isFresh = isFresh && !file.isDirectory
                file.eTag = nil
                file.modifiedDate = Date(timeIntervalSince1970: 1)
                return file
            }
            if isFresh { try await self.edit(self.base) }
            return (items, nil)
        }
    }

    func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        crawl(path: path, recursive: recursive, query: query)
    }
}

/// Stands still, jumps over every wait, and counts it.
private final class CountingClock: Clock, Sendable {
    private let slept = Mutex<[Duration]>([])
    var waits: [Duration] { slept.withLock { $0 } }
    let now = ContinuousClock.now
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let wait = deadline - now
        slept.withLock { $0.append(wait) }
    }
}

@Suite("What has just changed, where versions have whole seconds,")
struct FreshItemTests {
    private func snapshot(_ coarse: Coarse, _ clock: CountingClock) async throws -> TreeSnapshot {
        try await coarse.base.writeContents(path: "/a", contents: Data("one".utf8))
        return try await TreeSnapshot(of: coarse, below: .root, clock: clock)
    }

    @Test("is looked at again two seconds later, and is then known")
    func settles() async throws {
        let coarse = Coarse(freshListings: 1) { base in
            try await base.writeContents(path: "/a", contents: Data("longer".utf8), overwrite: true)
        }
        let clock = CountingClock()
        let before = try await snapshot(coarse, clock)
        #expect(clock.waits.count == 1)
        #expect(clock.waits.allSatisfy { $0 > .seconds(1.9) })
        #expect(before.entries.map(\.version) == ["6 -978307199.0"])
        let (changes, _) = try await before.compare(with: coarse, trustsFolderTags: false, clock: clock)
        #expect(changes.isEmpty)
    }

    @Test("is told the next time if it changes all the time")
    func restless() async throws {
        let coarse = Coarse(freshListings: 3)
        let clock = CountingClock()
        let before = try await snapshot(coarse, clock)
        #expect(clock.waits.count == 2)
        let read = try TreeSnapshot(try before.anchor())
        let (changes, now) = try await read.compare(with: coarse, trustsFolderTags: false, clock: clock)
        guard case .updated(let item, nil)? = changes.first, changes.count == 1 else {
            Issue.record("\(changes)")
            return
        }
        #expect(item.path == "/a")
        #expect(try await now.compare(with: coarse, trustsFolderTags: false, clock: clock).changes.isEmpty)
    }

    @Test("costs nothing where versions tell all")
    func settledAlready() async throws {
        let coarse = Coarse(freshListings: 0)
        let clock = CountingClock()
        _ = try await snapshot(coarse, clock)
        #expect(clock.waits.isEmpty)
    }
}
