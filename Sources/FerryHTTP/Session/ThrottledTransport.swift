package import Foundation
package import HTTPTypes

/// A transport whose requests wait until their account wants them.
package struct ThrottledTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let throttle: AccountThrottle
    private let statuses: Set<Int>
    private let now: @Sendable () -> Date

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - transport: The transport that carries the requests.
    ///   - throttle: The account's throttle.
    ///   - statuses: The statuses whose `Retry-After` is meant for the whole account.
    ///   - now: The time of day.
    package init(
        transport: any HTTPTransport,
        throttle: AccountThrottle,
        statuses: Set<Int> = [429, 503],
        now: @escaping @Sendable () -> Date
    ) {
        self.transport = transport
        self.throttle = throttle
        self.statuses = statuses
        self.now = now
    }

    /// Sends a request once the account wants one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body that is sent with it.
    /// - Returns: The answer, whatever its status.
    /// - Throws: `URLError.resourceUnavailable` where the account wants none for too long; errors of the transport.
    package func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        try await throttle.pass()
        let reply = try await transport.send(request, body: body)
        if statuses.contains(reply.status.code), let delay = reply.head.headerFields.retryAfter(now: now()) {
            throttle.hold(for: delay)
        }
        return reply
    }

    /// Ends the transport.
    package func shutdown() async {
        await transport.shutdown()
    }
}
