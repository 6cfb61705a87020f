import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryCore

@Suite("A wait for changes")
struct WaitingTests {
    private let memory = MemoryFileProvider()

    @Test("asks less and less often where the storage reports nothing by itself, until the time is over")
    func polling() async throws {
        let clock = RecordingClock()
        let anchor = try await memory.currentAnchor()
        let isNew = try await memory.pollForChanges(since: anchor, timeout: .seconds(200), clock: clock)
        let waits = clock.waits
        #expect(!isNew && waits.first == .seconds(1))
        #expect(waits.reduce(.zero, +) == .seconds(200))
        #expect(zip(waits.dropLast(), waits.dropLast().dropFirst()).allSatisfy { $0 < $1 })
        #expect(waits.allSatisfy { $0 <= .seconds(60) })
    }

    @Test("ends with the first question that finds something")
    func found() async throws {
        let anchor = try await memory.currentAnchor()
        let clock = RecordingClock { [memory] number in
            if number == 3 { try await memory.writeContents(path: "/a", contents: Data("a".utf8)) }
        }
        #expect(try await memory.pollForChanges(since: anchor, timeout: .seconds(200), clock: clock))
        #expect(clock.waits.count == 3)
    }

    @Test(
        "is over where a storage that reports changes by itself has none",
        arguments: [Duration.zero, .milliseconds(1)]
    )
    func over(timeout: Duration) async throws {
        let anchor = try await memory.currentAnchor()
        #expect(try await !memory.waitForChanges(since: anchor, timeout: timeout))
    }

    @Test("reaches a storage through its wrappers, since it may report changes by itself")
    func wrapped() async throws {
        let counting = CountingWaits()
        let anchor = try await counting.currentAnchor()
        _ = try await ReadOnlyFileProvider(counting).waitForChanges(since: anchor, timeout: .zero)
        _ = try await RetryingFileProvider(counting).waitForChanges(since: anchor, timeout: .zero)
        _ = try await FaultInjectingFileProvider(counting).waitForChanges(since: anchor, timeout: .zero)
        #expect(counting.count == 3)
    }

    @Test("has a form with a completion handler")
    func handler() async throws {
        let anchor = try await memory.currentAnchor()
        try await memory.writeContents(path: "/a", contents: Data("a".utf8))
        let isNew = await withCheckedContinuation { continuation in
            memory.waitForChanges(since: anchor, timeout: .seconds(1)) { isNew, _ in
                continuation.resume(returning: isNew)
            }
        }
        #expect(isNew == true)
    }
}

/// A memory provider that counts waits.
private final class CountingWaits: FileProviderWrapper {
    let base = MemoryFileProvider()
    private let waits = Mutex(0)

    var count: Int { waits.withLock { $0 } }
}

extension CountingWaits: FileProviderOperations {}

extension CountingWaits: FileProviderChangeTracking {
    func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool {
        waits.withLock { $0 += 1 }
        return false
    }
}

/// A clock that never waits; its time stands still.
private final class RecordingClock: Clock, Sendable {
    private let slept = Mutex<[Duration]>([])
    private let onWait: @Sendable (Int) async throws -> Void

    let now = ContinuousClock.now
    var waits: [Duration] { slept.withLock { $0 } }
    var minimumResolution: Duration { .zero }

    init(onWait: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
        self.onWait = onWait
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let number = slept.withLock { slept in
            slept.append(deadline - now)
            return slept.count
        }
        try await onWait(number)
    }
}
