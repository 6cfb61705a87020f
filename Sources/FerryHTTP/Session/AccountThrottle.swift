import FerryCore
import Synchronization

/// The time before which an account wants no requests: cloud services limit accounts, not connections.
final class AccountThrottle: Sendable {
    private let notBefore = Mutex(Duration.zero)
    private let longestDelay: Duration
    private let clock: any Clock<Duration>

    /// Returns the time since the throttle was made, by its clock.
    private let elapsed: @Sendable () -> Duration

    /// Makes a throttle that lets everything pass.
    ///
    /// - Parameters:
    ///   - longestDelay: The longest time that a request waits.
    ///   - clock: The clock that waits.
    init(longestDelay: Duration, clock: any Clock<Duration>) {
        self.longestDelay = longestDelay
        self.clock = clock
        elapsed = Self.stopwatch(clock)
    }

    private static func stopwatch<Time: Clock<Duration>>(_ clock: Time) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Indicates whether a request would have to wait now.
    var isHolding: Bool { notBefore.withLock { $0 } > elapsed() }

    /// Notes that the account wants to be left alone.
    ///
    /// - Parameter delay: The time that requests wait, from now.
    func hold(for delay: Duration) {
        let end = elapsed() + delay
        notBefore.withLock { $0 = max($0, end) }
    }

    /// Waits until requests are wanted again.
    ///
    /// - Throws: `URLError.resourceUnavailable` where that is longer than a request waits; `CancellationError`.
    func pass() async throws {
        while true {
            let rest = notBefore.withLock { $0 } - elapsed()
            guard rest > .zero else { return }
            guard rest <= longestDelay else {
                throw HTTPServerError(.tooManyRequests, path: .root, retryAfter: rest).mapped()
            }
            try await clock.sleep(for: rest)
        }
    }
}
