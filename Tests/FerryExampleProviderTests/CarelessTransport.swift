import FerryHTTP
import Foundation
import HTTPTypes

/// A transport that follows every redirect with all fields of the request, as no client should.
struct CarelessTransport: HTTPTransport {
    private let transport: any HTTPTransport

    init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        let reply = try await transport.send(request, body: body)
        guard reply.head.status.kind == .redirection, let text = reply.head.headerFields[.location],
            let url = URL(string: text), let host = url.host()
        else { return reply }
        var next = request
        next.scheme = url.scheme
        next.authority = url.port.map { "\(host):\($0)" } ?? host
        next.path = url.path()
        return try await transport.send(next, body: body)
    }

    func shutdown() async { await transport.shutdown() }
}
