package import HTTPTypes

/// The settings by which a transport connects: time-outs, limits, whom it trusts, and what it goes through.
///
/// ```swift
/// var configuration = HTTPTransportConfiguration()
/// configuration.trust = .system(and: [.file("/etc/ssl/ours.pem")])
/// configuration.proxy = .http(host: "proxy.example.com", port: 3128)
/// let transport = try NIOTransport(configuration)
/// ```
public struct HTTPTransportConfiguration: Sendable {
    /// The oldest version of TLS that is spoken; what is older is broken (RFC 8996).
    public enum TLSVersion: Sendable, Hashable {
        /// TLS 1.2.
        case tls12
        /// TLS 1.3.
        case tls13
    }

    /// The time that making a connection may take: name, TCP, proxy and TLS together.
    public var connectTimeout = Duration.seconds(20)

    /// The time that a server may be silent, or take no byte of ours, while we wait for it; the time that we ourselves
    /// take to make a body, or to read one, doesn't count.
    public var idleTimeout = Duration.seconds(60)

    /// The number of times ``idleTimeout`` that a server may be silent before it begins to answer what makes it work,
    /// at least 1.
    ///
    /// That is what lists, searches, copies, moves and removes (`PROPFIND`, `REPORT`, `SEARCH`, `COPY`, `MOVE`, `DELETE`),
    /// and a body of more than 8 MiB, once the server has all of it.
    public var workPatience = 5

    /// The number of connections to one host that are open at once, at least 1; further requests wait for their turn,
    /// as long as it takes.
    public var maximumConnectionsPerHost = 16

    /// The time for which a connection that nobody needs is kept.
    public var keepAlive = Duration.seconds(30)

    /// The proxy that all connections go through; `nil` for none, or for those that ``proxyRules`` say.
    public var proxy: HTTPProxy?

    /// The rules that say which servers are reached through a proxy, if ``proxy`` is `nil`; `nil` for none.
    public var proxyRules: HTTPProxyRules?

    /// The authorities whose certificates are trusted.
    public var trust = HTTPTrust.system

    /// The certificate that proves to servers who we are, if they ask; `nil` for none.
    public var clientCertificate: HTTPClientCertificate?

    /// The oldest version of TLS that is spoken.
    public var minimumTLSVersion = TLSVersion.tls12

    /// The length that the head of an answer may have, in bytes; one that is longer makes no sense (give or take what
    /// one read from the line brings).
    public var maximumHeaderSize = 64 << 10

    /// The time that a server is given to say that it wants a body, where the request asks for that
    /// (`Expect: 100-continue`); then the body is sent.
    package var continueTimeout = Duration.seconds(1)

    /// Makes a configuration with the usual settings.
    public init() {}

    /// The time that a server may be silent before it begins to answer what makes it work.
    package var workTimeout: Duration { idleTimeout * max(1, workPatience) }

    /// Returns whether a request makes a server work: see ``workPatience``.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - length: Bytes of its body, 0 for none; `nil` if that is not known.
    /// - Returns: `true` if the server may take longer to begin its answer.
    package static func makesWork(_ method: HTTPRequest.Method, bodyLength length: Int64?) -> Bool {
        length.map { $0 > 8 << 20 } ?? true
            || ["PROPFIND", "REPORT", "SEARCH", "COPY", "MOVE", "DELETE"].contains(method.rawValue)
    }
}
