import FerryCore
import Foundation
import Synchronization
import Testing

@Suite("Cancelling")
struct CancellationTests {
    @Test("reaches all work that counts on one progress, whichever of it began or ended first", arguments: [0, 1, 2])
    func sharedProgress(endingFirst number: Int) async throws {
        let progress = Progress(totalUnitCount: -1)
        let works = (0..<3).map { _ in Work() }
        let ends = await withTaskGroup(of: (Int, Bool).self) { group in
            for (number, work) in works.enumerated() {
                group.addTask { (number, await work.isCancelled(by: progress)) }
                await work.begins()
            }
            works[number].end()
            var ends = [await group.next()]
            progress.cancel()
            for await end in group { ends.append(end) }
            return ends.compactMap(\.self)
        }
        #expect(ends.first?.0 == number)
        #expect(ends.map(\.1) == [false, true, true])
    }

    @Test("calls a progress's own handler too, and leaves it in place when the work is over")
    func ownHandler() async throws {
        let (calls, call) = AsyncStream<String>.makeStream()
        let progress = Progress(totalUnitCount: -1)
        progress.cancellationHandler = { call.yield("own") }
        async let first: Void = withCancellation(by: progress) {}
        async let second: Void = withCancellation(by: progress) {}
        _ = try await (first, second)

        let watch = progress.watchCancellation { call.yield("watch") }
        let ended = progress.watchCancellation { call.yield("ended") }
        ended.end()
        progress.cancel()
        var iterator = calls.makeAsyncIterator()
        #expect(await [iterator.next(), iterator.next()] == ["own", "watch"])
        watch.end()

        let other = Progress(totalUnitCount: -1)
        other.cancellationHandler = { call.yield("own") }
        try await withCancellation(by: other) {}
        other.cancel()
        #expect(await iterator.next() == "own")
    }

    @Test("changes the facts about a progress with its first watcher only, and reaches all later ones")
    func facts() {
        let progress = Progress(totalUnitCount: 1)
        let called = Mutex(0)
        let early = Mutex(0)
        progress.watchCancellation { early.withLock { $0 += 1 } }.end()
        let facts = progress.userInfo.mapValues { $0 as AnyObject }
        #expect(facts.count == 1)
        let watches = (0..<3).map { _ in progress.watchCancellation { called.withLock { $0 += 1 } } }
        watches[1].end()
        #expect(progress.userInfo.count == 1 && progress.userInfo.allSatisfy { facts[$0] === $1 as AnyObject })
        progress.cancellationHandler?()
        #expect(called.withLock { $0 } == 2 && early.withLock { $0 } == 0)
        for watch in watches { watch.end() }
        #expect(progress.cancellationHandler == nil)
        #expect(progress.userInfo.allSatisfy { facts[$0] === $1 as AnyObject })
    }

    @Test("before the work begins keeps it from beginning, and is told to who watches then")
    func before() async throws {
        let progress = Progress(totalUnitCount: -1)
        progress.cancel()
        await #expect(throws: CancellationError.self) {
            try await withCancellation(by: progress) { Issue.record("it must not begin") }
        }
        let isTold = Mutex(false)
        progress.watchCancellation { isTold.withLock { $0 = true } }.end()
        #expect(isTold.withLock { $0 })
    }

    @Test("reaches no other progress, whatever took the place of the cancelled one in memory")
    func reusedMemory() async {
        let (told, tell) = AsyncStream<Void>.makeStream()
        var iterator = told.makeAsyncIterator()
        let strays = Mutex(0)
        for _ in 0..<1_000 {
            Self.cancel { tell.yield() }
            let other = Progress(totalUnitCount: 1).watchCancellation { strays.withLock { $0 += 1 } }
            // On Linux it is told on another thread, when the progress may be gone.
            await iterator.next()
            other.end()
        }
        #expect(strays.withLock { $0 } == 0)
    }

    /// Cancels a progress that somebody watches, and forgets it.
    private static func cancel(_ handler: @escaping @Sendable () -> Void) {
        let progress = Progress(totalUnitCount: 1)
        progress.cancellationHandler = handler
        let watch = progress.watchCancellation {}
        progress.cancel()
        watch.end()
    }

    @Test("doesn't reach what tidies up, whose errors are told all the same")
    func uncancelledWork() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            #expect(Task.isCancelled)
            return await uncancelled { Task.isCancelled }
        }
        #expect(await task.value == false)
        await #expect(throws: CocoaError(.fileNoSuchFile)) {
            try await uncancelled { throw CocoaError(.fileNoSuchFile) }
        }
    }
}

/// Work that goes on until it is told to end.
private final class Work: Sendable {
    private let begun = AsyncStream<Void>.makeStream()
    private let ended = AsyncStream<Void>.makeStream()

    func begins() async {
        for await _ in begun.stream {}
    }

    func end() { ended.continuation.finish() }

    /// Runs until its end, and tells whether cancelling the progress was what ended it.
    func isCancelled(by progress: Progress) async -> Bool {
        do {
            try await withCancellation(by: progress) { [begun, ended] in
                begun.continuation.finish()
                for await _ in ended.stream {}
                try Task.checkCancellation()
            }
            return false
        } catch {
            return true
        }
    }
}
