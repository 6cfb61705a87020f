import FerryCore
import Foundation
import HTTPTypes
import NIOCore

/// The head of a request as it is sent (RFC 9112 §3).
enum RequestHeadWriter {
    /// Writes a head.
    ///
    /// - Parameters:
    ///   - request: Method, target and fields; those of framing and `Host` are left out.
    ///   - route: Whom it is for.
    ///   - framing: How the body is framed.
    ///   - buffer: Where it is written to.
    static func write(_ request: HTTPRequest, route: Route, framing: Framing, to buffer: inout ByteBuffer) {
        buffer.writeString(request.method.rawValue)
        buffer.writeStaticString(" ")
        buffer.writeString(route.prefix)
        buffer.writeString(request.path ?? "/")
        buffer.writeStaticString(" HTTP/1.1\r\nHost: ")
        buffer.writeString(route.host)
        if let credential = route.proxyCredential { buffer.writeString("\r\nProxy-Authorization: \(credential)") }
        for field in request.headerFields {
            let name = field.name
            if name == .contentLength || name == .transferEncoding || name == hostName { continue }
            buffer.writeStaticString("\r\n")
            buffer.writeString(name.rawName)
            buffer.writeStaticString(": ")
            _ = field.withUnsafeBytesOfValue { buffer.writeBytes($0) }
        }
        switch framing {
        case .none: break
        case .length(let length):
            buffer.writeStaticString("\r\nContent-Length: ")
            buffer.writeString(String(length))
        case .chunked: buffer.writeStaticString("\r\nTransfer-Encoding: chunked")
        }
        buffer.writeStaticString("\r\n\r\n")
    }

    /// Whom requests are for.
    struct Route: Sendable {
        /// The value of `Host`.
        var host: String
        /// The text before the path: scheme and host, if a proxy passes the request on.
        var prefix = ""
        /// The login that the proxy gets in the field `Proxy-Authorization`.
        var proxyCredential: String?
    }

    /// How a body is framed.
    enum Framing: Equatable {
        case none
        case length(Int64)
        case chunked

        /// The framing of a request.
        ///
        /// - Parameters:
        ///   - body: The body that is sent.
        ///   - method: The method; of some, servers expect to be told that there is nothing (RFC 9110 §8.6).
        init(of body: HTTPRequestBody?, method: HTTPRequest.Method) {
            if let body {
                self = body.length.map { .length($0) } ?? .chunked
            } else {
                self = [.get, .head, .delete, .connect, .trace].contains(method) ? .none : .length(0)
            }
        }
    }

    /// Refuses a target that would be more than one line, or more than one word.
    ///
    /// - Parameter target: Path and query.
    /// - Throws: `URLError.badURL`.
    static func check(_ target: String) throws {
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw URLError.answer(.badURL, description: "the path has a space or a control character")
        }
    }

    private static let hostName = HTTPField.Name.known("Host")
}
