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
    /// While a body is being sent, the time counts from its last chunk, and not while the next one is made: most servers
    /// answer an upload at its end. What is in buffers counts as sent: up to 1 MiB in the transport, and what the system
    /// holds. On a line that takes ten seconds for so much, a wait can still be noted that is none.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body; `nil` for none.
    /// - Returns: The answer.
    /// - Throws: Errors of the transport.
    package func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        let id = watch.begin(request.method.rawValue, host: request.authority ?? "the server")
        defer { watch.end(id) }
        return try await base.send(request, body: body.map { watched($0, id) })
    }

    /// Returns the same body, whose chunks are noted.
    private func watched(_ body: HTTPRequestBody, _ id: UInt64) -> HTTPRequestBody {
        body.mapSource { [watch] source in
            {
                watch.pause(id)
                let chunk = try await source()
                watch.resume(id)
                return chunk
            }
        }
    }

    /// Ends all requests, and closes all connections.
    package func shutdown() async { await base.shutdown() }
}
