package import FerryCore
package import HTTPTypes

/// A transport that notes which requests have no answer yet.
package final class WatchedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let watch: WaitWatch

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - base: The transport that carries the requests.
    ///   - watch: The watch that they are noted with.
    package init(_ base: any HTTPTransport, watch: WaitWatch) {
        self.base = base
        self.watch = watch
    }

    /// Sends a request, and waits for the head of its answer.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body; `nil` for none.
    /// - Returns: The answer.
    /// - Throws: Errors of the transport.
    package func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        let id = watch.begin(request.method.rawValue, host: request.authority ?? "the server")
        defer { watch.end(id) }
        return try await base.send(request, body: body)
    }

    /// Ends all requests, and closes all connections.
    package func shutdown() async { await base.shutdown() }
}
