public import Foundation

/// One way into a ``RealServer``: a URL, and the folder on disk behind it.
public struct RealServerEndpoint: Sendable, CustomStringConvertible {
    /// The kind of login that the server asks a client for.
    public enum Login: String, CaseIterable, Sendable {
        /// Basic (RFC 7617).
        case basic
        /// Digest (RFC 7616; all of these servers do MD5 and `qop=auth`).
        case digest
    }

    /// The server.
    public let kind: RealServerKind
    /// The kind of login that the server asks a client for.
    public let login: Login
    /// Indicates whether it speaks HTTPS.
    public let isSecure: Bool
    /// Its URL, which ends in `/`.
    public let url: URL
    /// The folder on disk behind it, without a `/` at its end.
    public let folder: String

    /// The server, the scheme and the login.
    public var description: String { "\(kind), \(isSecure ? "https" : "http"), \(login.rawValue)" }
}

extension RealServerEndpoint {
    init(
        _ kind: RealServerKind,
        _ login: Login,
        secure isSecure: Bool = false,
        port: Int,
        path: String = "",
        folder: String
    ) {
        var parts = URLComponents()
        (parts.scheme, parts.host) = (isSecure ? "https" : "http", "127.0.0.1")
        (parts.port, parts.path) = (port, "/\(path)")
        self.init(kind: kind, login: login, isSecure: isSecure, url: parts.url ?? URL(filePath: "/"), folder: folder)
    }
}
