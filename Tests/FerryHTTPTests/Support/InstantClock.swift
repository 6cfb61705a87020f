import Synchronization

/// A clock whose waits are over at once, and are remembered.
struct InstantClock: Clock {
    typealias Instant = ContinuousClock.Instant

    final class Record: Sendable {
        let waits = Mutex<[Duration]>([])
    }

    let record = Record()
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    var waits: [Duration] { record.waits.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        record.waits.withLock { $0.append(deadline - now) }
    }
}
