import Foundation
public import HTTPTypes
public import Logging
import Synchronization

/// Sends requests for a provider: proves who we are, goes where redirects lead, tries again what a bad line has broken.
///
/// It answers whatever the server says in the end; which status is an error is the provider's to know.
public final class HTTPSession: Sendable {
    /// What carries the requests.
    public let transport: any HTTPTransport

    /// What proves who we are; `nil` if nobody asks.
    public let authenticator: (any HTTPAuthenticator)?

    /// Where it says what it does, without secrets.
    public let logger: Logger

    private let isInvalidated = Mutex(false)

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests; the session ends it.
    ///   - authenticator: What proves who we are.
    ///   - logger: Where to log.
    public init(transport: any HTTPTransport, authenticator: (any HTTPAuthenticator)? = nil, logger: Logger) {
        self.transport = transport
        self.authenticator = authenticator
        self.logger = logger
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request, of the origin whose credential the session has.
    ///   - body: What to send with it.
    ///   - options: How to treat it.
    /// - Returns: The answer, whatever its status.
    /// - Throws: As ``HTTPTransport/send(_:body:)``.
    public func send(
        _ request: HTTPRequest,
        body: HTTPRequestBody? = nil,
        options: HTTPRequestOptions = HTTPRequestOptions()
    ) async throws -> HTTPReply {
        guard !isInvalidated.withLock({ $0 }) else { throw CancellationError() }
        var request = request
        try await authenticator?.authorize(&request)
        return try await transport.send(request, body: body)
    }

    /// Ends all requests that are under way, and closes all connections; later ones throw `CancellationError`.
    public func invalidate() async {
        isInvalidated.withLock { $0 = true }
        await transport.shutdown()
    }
}
