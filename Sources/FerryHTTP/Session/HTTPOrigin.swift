public import Foundation
public import HTTPTypes

/// Scheme, host and port: whom we talk to (RFC 6454 §4).
public struct HTTPOrigin: Sendable, Hashable {
    /// `https`, `http` or `http+unix`.
    public let scheme: String

    /// Host and, unless it is the scheme's own, port, as in a URL and in the `Host` field; for `http+unix` the path of the
    /// socket, percent-encoded.
    public let authority: String

    /// The origin of a URL; `nil` unless it is a URL of `http` or `https` with a host, and a port that can be, or of
    /// `http+unix` with the path of a socket.
    ///
    /// - Parameter url: An absolute URL.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased() else { return nil }
        if scheme == "http+unix" {
            guard let socket = url.host(percentEncoded: true), socket.removingPercentEncoding?.hasPrefix("/") ?? false
            else { return nil }
            (self.scheme, authority) = (scheme, socket)
            return
        }
        guard scheme == "http" || scheme == "https",
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = parts.percentEncodedHost?.lowercased(), !host.isEmpty,
            parts.port.map({ UInt16(exactly: $0) != nil }) ?? true
        else { return nil }
        self.scheme = scheme
        let isDefault = parts.port == nil || parts.port == (scheme == "https" ? 443 : 80)
        authority = isDefault ? host : "\(host):\(parts.port ?? 0)"
    }

    /// The origin of a request; `nil` unless it says scheme and authority.
    ///
    /// - Parameter request: A request as it is sent.
    init?(_ request: HTTPRequest) {
        guard let url = request.absoluteURL else { return nil }
        self.init(url)
    }

    /// The host without the port, in lower case.
    package var host: String {
        if authority.hasPrefix("[") {
            return authority.firstIndex(of: "]").map { String(authority[...$0]) } ?? authority
        }
        return String(authority.prefix { $0 != ":" })
    }

    /// Indicates whether the host is given by its number.
    var isIPAddress: Bool {
        host.hasPrefix("[") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
    }

    /// Indicates whether it is this machine, so that nobody can read along.
    package var isLoopback: Bool {
        scheme == "http+unix" || host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || (isIPAddress && host.hasPrefix("127."))
    }

    /// A request to this origin.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: Path and query, percent-encoded; it begins with `/`.
    ///   - fields: The request's fields.
    /// - Returns: The request.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ fields: HTTPFields = HTTPFields()
    ) -> HTTPRequest {
        HTTPRequest(method: method, scheme: scheme, authority: authority, path: path, headerFields: fields)
    }

    /// The URL of a path at this origin, as text.
    ///
    /// - Parameter path: Path and query, percent-encoded; it begins with `/`.
    /// - Returns: An absolute URL.
    public func url(_ path: String) -> String { "\(scheme)://\(authority)\(path)" }
}
