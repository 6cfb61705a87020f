import FerryCore
import FerryMemory
import Foundation
import Synchronization
import Testing

/// A clock whose sleeps end when the test says so.
private final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private let state = Mutex((now: Instant(), waits: [Duration]()))
    let steps: AsyncStream<Void>
    private let step: AsyncStream<Void>.Continuation

    init() { (steps, step) = AsyncStream.makeStream() }

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }
    var waits: [Duration] { state.withLock { $0.waits } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        state.withLock { state in
            state.waits.append(deadline.offset - state.now.offset)
            state.now = max(state.now, deadline)
        }
        for await _ in steps { break }
        try Task.checkCancellation()
    }

    /// Ends one sleep.
    func go() { step.yield() }
}

@Suite("A watch that looks again and again")
struct PollingWatchTests {
    private let memory = MemoryFileProvider()

    private func watch(_ path: ItemPath, _ clock: ManualClock) -> PollingWatch {
        var watch = PollingWatch(memory, path: path)
        watch.clock = clock
        return watch
    }

    @Test("tells what has happened since the look before")
    func changes() async throws {
        try await memory.create(folder: "a", at: "/")
        try await memory.writeContents(path: "/a/old", contents: Data([1]))
        try await memory.writeContents(path: "/a/other", contents: Data([1]))
        let clock = ManualClock()
        var changes = try await watch("/a", clock).begin().makeAsyncIterator()
        try await memory.writeContents(path: "/a/new", contents: Data([2]))
        try await memory.writeContents(path: "/a/old", contents: Data([1, 2]), overwrite: true)
        try await memory.writeContents(path: "/elsewhere", contents: Data([2]))
        try await memory.removeItem(path: "/a/other")
        clock.go()
        #expect(try await changes.next() == FileChange(.removed, path: "/a/other"))
        #expect(try await changes.next() == FileChange(.created, path: "/a/new"))
        #expect(try await changes.next() == FileChange(.modified, path: "/a/old"))
    }

    @Test("ends when the watched item is gone")
    func end() async throws {
        try await memory.create(folder: "a", at: "/")
        let clock = ManualClock()
        var changes = try await watch("/a", clock).begin().makeAsyncIterator()
        try await memory.removeItem(path: "/a")
        clock.go()
        #expect(try await changes.next() == FileChange(.removed, path: "/a"))
        #expect(try await changes.next() == nil)
    }

    @Test("of a file tells of that file")
    func file() async throws {
        try await memory.writeContents(path: "/a", contents: Data([1]))
        let clock = ManualClock()
        var changes = try await watch("/a", clock).begin().makeAsyncIterator()
        try await memory.writeContents(path: "/a", contents: Data([1, 2]), overwrite: true)
        clock.go()
        #expect(try await changes.next() == FileChange(.modified, path: "/a"))
    }

    @Test("looks less often while nothing happens, and often again when something does")
    func pace() async throws {
        let clock = ManualClock()
        var changes = try await watch("/", clock).begin().makeAsyncIterator()
        for _ in 0..<20 { clock.go() }
        while clock.waits.count < 21 { await Task.yield() }
        #expect(clock.waits[0] == .seconds(1))
        #expect(clock.waits[1] == .milliseconds(1500))
        #expect(clock.waits[20] == .seconds(30))
        try await memory.writeContents(path: "/a", contents: Data())
        clock.go()
        #expect(try await changes.next() == FileChange(.created, path: "/a"))
        while clock.waits.count < 22 { await Task.yield() }
        #expect(clock.waits[21] == .seconds(1))
    }

    @Test("of a missing item throws")
    func missing() async throws {
        let error = await #expect(throws: CocoaError.self) { try await PollingWatch(memory, path: "/gone").begin() }
        #expect(error?.code == .fileNoSuchFile)
    }
}
