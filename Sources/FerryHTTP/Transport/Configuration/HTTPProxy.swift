import Foundation

/// A proxy that connections go through.
public struct HTTPProxy: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    enum Kind: Hashable {
        case http
        case socks
    }

    let kind: Kind

    /// The proxy's name or address.
    public let host: String

    /// The proxy's port.
    public let port: Int

    let user: String?
    let password: String?

    /// Indicates whether it is given requests of plain HTTP to pass on (RFC 9112 §3.2.2), and makes tunnels for TLS
    /// only: many make none to port 80.
    var forwards = false

    /// A proxy that makes tunnels (`CONNECT`, RFC 9110 §9.3.6), for plain HTTP too.
    ///
    /// - Parameters:
    ///   - host: The proxy's name or address.
    ///   - port: The proxy's port.
    ///   - user: The user's name, if the proxy asks.
    ///   - password: The password that proves it.
    /// - Returns: The proxy.
    public static func http(host: String, port: Int, user: String? = nil, password: String? = nil) -> HTTPProxy {
        HTTPProxy(kind: .http, host: host, port: port, user: user, password: password)
    }

    /// A SOCKS 5 proxy (RFC 1928); it looks up the hosts' names.
    ///
    /// - Parameters:
    ///   - host: The proxy's name or address.
    ///   - port: The proxy's port.
    ///   - user: The user's name, if the proxy asks (RFC 1929).
    ///   - password: The password that proves it.
    /// - Returns: The proxy.
    public static func socks(
        host: String,
        port: Int = 1080,
        user: String? = nil,
        password: String? = nil
    ) -> HTTPProxy {
        HTTPProxy(kind: .socks, host: host, port: port, user: user, password: password)
    }

    /// The login that it gets in the field `Proxy-Authorization`; `nil` without one.
    var credential: String? {
        user.map { "Basic \(Data("\($0):\(password ?? "")".utf8).base64EncodedString())" }
    }

    /// The proxy's URL, without the password.
    public var description: String { "\(kind == .http ? "http" : "socks5")://\(host):\(port)" }

    /// The same, for whoever looks inside.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
