import Synchronization

/// A clock that stands still, on which every wait is over at once, and that remembers how long it would have been.
final class NoWaiting: Clock {
    typealias Instant = ContinuousClock.Instant

    private let slept = Mutex(Duration.zero)

    let now = ContinuousClock.now
    var minimumResolution: Duration { .zero }

    /// All waits together.
    var total: Duration { slept.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let duration = now.duration(to: deadline)
        slept.withLock { $0 += duration }
        await Task.yield()
    }
}
