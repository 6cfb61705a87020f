import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Synchronization

/// The time before which an account wants no requests: Dropbox limits accounts, not connections.
final class AccountThrottle: Sendable {
    private let notBefore = Mutex(Date.distantPast)
    private let longestDelay: Duration
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date

    /// Makes a throttle that lets everything pass.
    ///
    /// - Parameters:
    ///   - longestDelay: How long a request waits at most.
    ///   - clock: The clock that waits.
    ///   - now: The time of day.
    init(longestDelay: Duration, clock: any Clock<Duration>, now: @escaping @Sendable () -> Date) {
        self.longestDelay = longestDelay
        self.clock = clock
        self.now = now
    }

    /// Notes that the account wants to be left alone.
    ///
    /// - Parameter delay: For how long, from now.
    func hold(for delay: Duration) {
        let end = now().addingTimeInterval(delay / .seconds(1))
        notBefore.withLock { $0 = max($0, end) }
    }

    /// Waits until requests are wanted again.
    ///
    /// - Throws: `URLError.resourceUnavailable` where that is longer than a request waits; `CancellationError`.
    func pass() async throws {
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

/// A transport whose requests wait until their account wants them.
struct ThrottledTransport: HTTPTransport {
    let transport: any HTTPTransport
    let throttle: AccountThrottle
    let now: @Sendable () -> Date

    func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        try await throttle.pass()
        let reply = try await transport.send(request, body: body)
        if [429, 503].contains(reply.status.code), let delay = reply.head.headerFields.retryAfter(now: now()) {
            throttle.hold(for: delay)
        }
        return reply
    }

    func shutdown() async {
        await transport.shutdown()
    }
}
