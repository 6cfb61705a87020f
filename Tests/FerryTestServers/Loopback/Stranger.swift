import Foundation
import HTTPTypes
import NIOCore

/// A server of somebody else, to which answers redirect: it writes down the credentials that it gets.
public final class Stranger: Sendable {
    private let server: LoopbackServer
    private let secrets: [String]

    private init(_ server: LoopbackServer, secrets: [String]) {
        self.server = server
        self.secrets = secrets
    }

    /// Starts a server that answers every request with a short text.
    ///
    /// - Parameter secrets: The texts that must not come in any field or address, such as a token.
    /// - Returns: The server, listening.
    /// - Throws: The error that keeps it from listening.
    public static func start(secrets: [String] = []) async throws -> Stranger {
        Stranger(try await LoopbackServer.start { _ in LoopbackAnswer(.ok, text: "a stranger") }, secrets: secrets)
    }

    /// The fault of a line to the real server: each answer is a redirect to this one, for which the method stays the same
    /// (RFC 9110 §15.4.8).
    public var redirect: Fault {
        let head = [
            "HTTP/1.1 307 Temporary Redirect", "Location: \(server.url.absoluteString)elsewhere", "Content-Length: 0",
            "Connection: close",
        ]
        let answer = ByteBuffer(string: head.joined(separator: "\r\n") + "\r\n\r\n")
        return Fault(.garbage(answer), .answer, after: 0, counting: .fromNow)
    }

    /// The number of requests that came.
    public var requestCount: Int { server.requests.count }

    /// The credentials that came, a line each.
    public var credentials: [String] {
        server.requests.flatMap { request in
            request.headerFields.compactMap { field -> String? in
                let isCredential = [.authorization, .cookie, .proxyAuthorization].contains(field.name)
                guard isCredential || secrets.contains(where: field.value.contains) else { return nil }
                return "\(request.method) \(request.path ?? ""): \(field.name)"
            } + secrets.filter { request.path?.contains($0) == true }.map { _ in "\(request.method): the address" }
        }
    }

    /// Stops listening; returns when that is done.
    public func stop() async { await server.stop() }
}
