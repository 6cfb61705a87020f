import Synchronization

/// A clock that stands still: a wait of one length never ends by itself, and all others end at once.
public final class StandingClock: Clock {
    /// The real clock's.
    public typealias Instant = ContinuousClock.Instant

    /// The time, which is always that of the start.
    public let now = ContinuousClock.now
    /// Every wait counts.
    public var minimumResolution: Duration { .zero }

    private let endless: Duration
    private let state = Mutex<(open: Int, waits: [(length: Duration, open: Int)])>((0, []))

    /// Makes a clock.
    ///
    /// - Parameter endless: The length of the wait that ends by cancellation only.
    public init(endless: Duration) { self.endless = endless }

    /// The waits that have ended at once, each with the number of endless ones at that time.
    public var waits: [(length: Duration, open: Int)] { state.withLock(\.waits) }

    /// Returns at once, or when the task is cancelled.
    ///
    /// - Parameters:
    ///   - deadline: The end of the wait.
    ///   - tolerance: Not looked at.
    /// - Throws: `CancellationError` at the end of an endless wait.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let wait = deadline - now
        guard wait == endless else { return state.withLock { $0.waits.append((wait, $0.open)) } }
        state.withLock { $0.open += 1 }
        defer { state.withLock { $0.open -= 1 } }
        await untilCancelled()
        try Task.checkCancellation()
    }
}
