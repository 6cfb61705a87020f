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

    /// A proxy that makes tunnels (`CONNECT`, RFC 9110 §9.3.6), for plain HTTP too.
    ///
    /// - Parameters:
    ///   - host: The proxy's name or address.
    ///   - port: The proxy's port.
    ///   - user: Who we are, if the proxy asks.
    ///   - password: What proves it.
    /// - Returns: The proxy.
    public static func http(host: String, port: Int, user: String? = nil, password: String? = nil) -> HTTPProxy {
        HTTPProxy(kind: .http, host: host, port: port, user: user, password: password)
    }

    /// A SOCKS 5 proxy that asks for no password (RFC 1928); it looks up the hosts' names.
    ///
    /// - Parameters:
    ///   - host: The proxy's name or address.
    ///   - port: The proxy's port.
    /// - Returns: The proxy.
    public static func socks(host: String, port: Int = 1080) -> HTTPProxy {
        HTTPProxy(kind: .socks, host: host, port: port, user: nil, password: nil)
    }

    /// Where it is, without the password.
    public var description: String { "\(kind == .http ? "http" : "socks5")://\(host):\(port)" }

    /// The same, for whoever looks inside.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
