import FerryCore
package import Foundation
import HTTPTypes
import Synchronization

/// The time before which an account wants no requests: cloud services limit accounts, not connections.
package final class AccountThrottle: Sendable {
    private let notBefore = Mutex(Date.distantPast)
    private let longestDelay: Duration
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date

    /// Makes a throttle that lets everything pass.
    ///
    /// - Parameters:
    ///   - longestDelay: The longest time that a request waits.
    ///   - clock: The clock that waits.
    ///   - now: The time of day.
    package init(longestDelay: Duration, clock: any Clock<Duration>, now: @escaping @Sendable () -> Date) {
        self.longestDelay = longestDelay
        self.clock = clock
        self.now = now
    }

    /// Notes that the account wants to be left alone.
    ///
    /// - Parameter delay: The time that requests wait, from now.
    package func hold(for delay: Duration) {
        let end = now().addingTimeInterval(delay / .seconds(1))
        notBefore.withLock { $0 = max($0, end) }
    }

    /// Waits until requests are wanted again.
    ///
    /// - Throws: `URLError.resourceUnavailable` where that is longer than a request waits; `CancellationError`.
    package func pass() async throws {
        while true {
            let rest = notBefore.withLock { $0 }.timeIntervalSince(now())
            guard rest > 0 else { return }
            let delay = Duration.seconds(rest)
            guard delay <= longestDelay else {
                throw HTTPServerError(.tooManyRequests, path: .root, retryAfter: delay).mapped()
            }
            try await clock.sleep(for: delay)
        }
    }
}
