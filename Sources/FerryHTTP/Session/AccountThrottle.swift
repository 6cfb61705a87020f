import FerryCore
import Synchronization

/// The time before which an account wants no requests: cloud services limit accounts, not connections.
///
/// A host that has nothing to do with the account speaks for itself only.
final class AccountThrottle: Sendable {
    private struct Holds {
        var account = Duration.zero
        var origins: [HTTPOrigin: Duration] = [:]
    }

    private let holds = Mutex(Holds())
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
        elapsed = clock.measure()
    }

    /// Indicates whether some request would have to wait now.
    var isHolding: Bool {
        let now = elapsed()
        return holds.withLock { holds in holds.account > now || holds.origins.values.contains { $0 > now } }
    }

    /// Notes that the account, or one host, wants to be left alone.
    ///
    /// - Parameters:
    ///   - origin: The host that wants it; `nil` for all.
    ///   - delay: The time that requests wait, from now.
    func hold(_ origin: HTTPOrigin? = nil, for delay: Duration) {
        let now = elapsed()
        let end = now + delay
        holds.withLock { holds in
            holds.origins = holds.origins.filter { $0.value > now }
            guard let origin else { return holds.account = max(holds.account, end) }
            holds.origins[origin] = max(holds.origins[origin] ?? .zero, end)
        }
    }

    /// Waits until a request is wanted again.
    ///
    /// - Parameters:
    ///   - origin: The host that it goes to.
    ///   - path: The item that it is about.
    /// - Throws: `URLError.resourceUnavailable` where that is longer than a request waits; `CancellationError`.
    func pass(to origin: HTTPOrigin?, about path: ItemPath) async throws {
        while true {
            let end = holds.withLock { holds in max(holds.account, origin.flatMap { holds.origins[$0] } ?? .zero) }
            let rest = end - elapsed()
            guard rest > .zero else { return }
            guard rest <= longestDelay else {
                throw HTTPServerError(.tooManyRequests, path: path, retryAfter: rest).mapped()
            }
            try await clock.sleep(for: rest)
        }
    }
}
