import FerryCore
import Foundation
import NIOCore

/// Whom a connection is made to: what scheme and authority of a URL mean.
struct HTTPEndpoint: Hashable {
    /// Where it is.
    enum Place: Hashable {
        /// A name, or an address without brackets.
        case host(String, port: Int)
        /// A socket of this machine.
        case unix(path: String)
    }

    /// Where it is.
    let place: Place

    /// Indicates whether TLS is spoken.
    let isSecure: Bool

    /// The value of the field `Host`.
    let hostField: String

    /// Takes scheme and authority apart.
    ///
    /// - Parameters:
    ///   - scheme: `http`, `https` or `http+unix`.
    ///   - authority: Host and port; for `http+unix` the path of the socket, percent-encoded.
    /// - Throws: `URLError.badURL`, `.unsupportedURL`.
    init(scheme: String, authority: String) throws {
        switch scheme {
        case "http+unix":
            guard let path = authority.removingPercentEncoding, path.hasPrefix("/") else {
                throw Self.bad("the URL names no socket")
            }
            (place, isSecure, hostField) = (.unix(path: path), false, "localhost")
        case "http", "https":
            isSecure = scheme == "https"
            let (host, port) = try Self.split(authority)
            let name: String
            (name, hostField) =
                if host.hasPrefix("[") {
                    try Self.address(host, port)
                } else {
                    try Self.name(host, port)
                }
            place = .host(name, port: port ?? (isSecure ? 443 : 80))
        default: throw URLError.answer(.unsupportedURL, description: "there is no such scheme")
        }
    }

    /// Whom the certificate must be of; `nil` for an address, which is compared by itself.
    var serverName: String? {
        guard case .host(let host, _) = place, (try? SocketAddress(ipAddress: host, port: 0)) == nil,
            !host.contains(":")
        else { return nil }
        return host
    }

    private static func split(_ authority: String) throws -> (host: Substring, port: Int?) {
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[end...].lastIndex(of: ":") else { return (authority[...], nil) }
        let digits = authority[authority.index(after: colon)...]
        if digits.isEmpty { return (authority[..<colon], nil) }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
            throw URLError.answer(.unsupportedURL, description: "there is no such port")
        }
        return (authority[..<colon], Int(port))
    }

    /// An address of IPv6, whose zone (RFC 6874) is for this machine only.
    private static func address(_ host: Substring, _ port: Int?) throws -> (name: String, field: String) {
        guard let name = host.dropFirst().dropLast().removingPercentEncoding, host.hasSuffix("]") else {
            throw bad("the URL's host makes no sense")
        }
        let address = name.prefix { $0 != "%" }
        return (name, "[\(address)]\(port.map { ":\($0)" } ?? "")")
    }

    /// A name, of which servers and resolvers know the form in ASCII (RFC 5891).
    private static func name(_ host: Substring, _ port: Int?) throws -> (name: String, field: String) {
        var name = String(host)
        if host.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) {
            var parts = URLComponents()
            parts.scheme = "http"
            parts.host = host.removingPercentEncoding
            name = parts.encodedHost ?? ""
        }
        let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"%/?#@[]:\\".utf8.contains($0) }
        guard !name.isEmpty, isName else { throw bad("the URL's host makes no sense") }
        return (name, "\(name)\(port.map { ":\($0)" } ?? "")")
    }

    private static func bad(_ description: String) -> URLError {
        .answer(.badURL, description: description)
    }
}
