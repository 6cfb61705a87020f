import Synchronization

/// A clock that never waits, and remembers how long it should have.
public struct InstantClock: Clock {
    /// The real clock's.
    public typealias Instant = ContinuousClock.Instant

    private final class Record: Sendable {
        private let waits = Mutex<[Duration]>([])
        var all: [Duration] { waits.withLock { $0 } }
        func append(_ wait: Duration) { waits.withLock { $0.append(wait) } }
    }

    private final class Time: Sendable {
        let now = Mutex(ContinuousClock.now)
    }

    private let record = Record()
    private let time = Time()

    /// The time: that of the start, and all waits since.
    public var now: Instant { time.now.withLock { $0 } }
    /// Every wait counts.
    public var minimumResolution: Duration { .zero }
    /// How long it should have waited, each time.
    public var waits: [Duration] { record.all }

    /// Makes a clock.
    public init() {}

    /// Lets the time pass at once.
    ///
    /// - Parameters:
    ///   - deadline: When to wake up.
    ///   - tolerance: Not looked at.
    /// - Throws: `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let wait = time.now.withLock { now in
            defer { now = max(now, deadline) }
            return deadline - now
        }
        record.append(wait)
        await Task.yield()
    }
}
