import Synchronization

/// A clock that never waits, and remembers how long it should have.
struct InstantClock: Clock {
    typealias Instant = ContinuousClock.Instant

    final class Record: Sendable {
        private let waits = Mutex<[Duration]>([])
        var all: [Duration] { waits.withLock { $0 } }
        func append(_ wait: Duration) { waits.withLock { $0.append(wait) } }
    }

    private final class Time: Sendable {
        let now = Mutex(ContinuousClock.now)
    }

    let record = Record()
    private let time = Time()
    var now: Instant { time.now.withLock { $0 } }
    var minimumResolution: Duration { .zero }
    var waits: [Duration] { record.all }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let wait = time.now.withLock { now in
            defer { now = max(now, deadline) }
            return deadline - now
        }
        record.append(wait)
        await Task.yield()
    }
}
