import FerryCore
import Foundation
import Synchronization
import Testing

@Suite("What is told of changes")
struct FileChangeFeedTests {
    private let feed = FileChangeFeed(under: "/d", limit: 8)

    private static func noted(_ kind: FileChange.Kind, _ path: ItemPath, replaces: Bool = false) -> NotedChange {
        NotedChange(FileChange(kind, path: path), isFile: true, replaces: replaces)
    }

    static let cases: [(what: String, told: [NotedChange], read: [FileChange])] = [
        (
            "a new file that is written is new",
            [noted(.created, "/a"), noted(.modified, "/a"), noted(.attributes, "/a")],
            [FileChange(.created, path: "/a")]
        ),
        (
            "many writes are one",
            [noted(.modified, "/a"), noted(.modified, "/b"), noted(.modified, "/a")],
            [FileChange(.modified, path: "/a"), FileChange(.modified, path: "/b")]
        ),
        (
            "a write says more than its date",
            [noted(.attributes, "/a"), noted(.attributes, "/a"), noted(.modified, "/a"), noted(.attributes, "/a")],
            [FileChange(.modified, path: "/a")]
        ),
        (
            "what was written to a file that is gone says nothing",
            [noted(.modified, "/a"), noted(.removed, "/a"), noted(.created, "/a")],
            [FileChange(.removed, path: "/a"), FileChange(.created, path: "/a")]
        ),
        (
            "a file that comes and goes is told of in order",
            [noted(.created, "/a"), noted(.removed, "/a")],
            [FileChange(.created, path: "/a"), FileChange(.removed, path: "/a")]
        ),
        (
            "a file that was saved beside another and took its name has modified it",
            [noted(.created, "/t"), noted(.modified, "/t"), noted(.moved(from: "/t"), "/a", replaces: true)],
            [FileChange(.modified, path: "/a")]
        ),
        (
            "a file that was made elsewhere is made where it is now",
            [noted(.created, "/t"), noted(.moved(from: "/t"), "/a"), noted(.moved(from: "/a"), "/b")],
            [FileChange(.created, path: "/b")]
        ),
        (
            "a file that was there before has moved",
            [noted(.modified, "/a"), noted(.moved(from: "/a"), "/b"), noted(.modified, "/b")],
            [
                FileChange(.modified, path: "/a"), FileChange(.moved(from: "/a"), path: "/b"),
                FileChange(.modified, path: "/b"),
            ]
        ),
        (
            "what is told of a file stays behind what becomes of its folder",
            [
                noted(.modified, "/f/a"), NotedChange(FileChange(.moved(from: "/f"), path: "/g")),
                NotedChange(FileChange(.moved(from: "/h"), path: "/f")), noted(.modified, "/f/a"),
            ],
            [
                FileChange(.modified, path: "/f/a"), FileChange(.moved(from: "/f"), path: "/g"),
                FileChange(.moved(from: "/h"), path: "/f"), FileChange(.modified, path: "/f/a"),
            ]
        ),
        (
            "a folder that is made and moved is told of, since something may be in it",
            [
                NotedChange(FileChange(.created, path: "/f")), noted(.created, "/f/a"),
                NotedChange(FileChange(.moved(from: "/f"), path: "/g")),
            ],
            [
                FileChange(.created, path: "/f"), FileChange(.created, path: "/f/a"),
                FileChange(.moved(from: "/f"), path: "/g"),
            ]
        ),
    ]

    @Test("is as little as tells all of it", arguments: 0..<cases.count)
    func coalesces(number: Int) async throws {
        let (what, told, expected) = Self.cases[number]
        let changes = feed.changes {}
        feed.tell(told)
        feed.finish()
        #expect(try await Array(changes) == expected, "\(what)")
    }

    @Test("is a rescan and what comes then, for who reads too slowly")
    func slowReader() async throws {
        let changes = feed.changes {}
        for number in 0..<1_000 { feed.tell([FileChange(.created, path: "/d/\(number)")]) }
        feed.finish()
        let told = try await Array(changes)
        #expect(told.first == FileChange(.rescan, path: "/d"))
        #expect(told.count <= 8)
        // From the rescan on, nothing is missing.
        #expect(told.dropFirst().map(\.path) == (1_001 - told.count..<1_000).map { "/d/\($0)" })
    }

    @Test("is kept in bounded memory by who is always a little late")
    func lateReader() async throws {
        let changes = feed.changes {}
        var iterator = changes.makeAsyncIterator()
        for number in 0..<1_000 {
            feed.tell([FileChange(.created, path: "/d/\(number)"), FileChange(.removed, path: "/d/\(number)")])
            #expect(try await iterator.next() != nil)
            if number % 2 == 0 { #expect(try await iterator.next() != nil) }
        }
    }

    @Test("ends with what broke the watch, behind what happened before")
    func failure() async throws {
        let changes = feed.changes {}
        feed.tell([FileChange(.created, path: "/a")])
        feed.finish(throwing: URLError(.timedOut))
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() == FileChange(.created, path: "/a"))
        await #expect(throws: URLError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("is told to nobody who has left: by letting go, by leaving the loop, by being cancelled")
    func leaving() async throws {
        let left = Mutex(0)
        do {
            let changes = FileChangeFeed(under: "/").changes { left.withLock { $0 += 1 } }
            _ = changes
        }
        #expect(left.withLock { $0 } == 1)
        func loop() async throws {
            let feed = FileChangeFeed(under: "/")
            let changes = feed.changes { left.withLock { $0 += 1 } }
            feed.tell([FileChange(.created, path: "/a")])
            for try await _ in changes { break }
        }
        try await loop()
        #expect(left.withLock { $0 } == 2)
        let changes = FileChangeFeed(under: "/").changes { left.withLock { $0 += 1 } }
        let reader = Task { try await Array(changes) }
        reader.cancel()
        #expect(try await reader.value == [])
        #expect(left.withLock { $0 } == 3)
    }
}

extension Array where Element == FileChange {
    /// All changes until the watch ends.
    fileprivate init(_ changes: FileChanges) async throws {
        self = []
        for try await change in changes { append(change) }
    }
}
