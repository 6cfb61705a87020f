import FerryCore
import Foundation

/// The proxies that are used for servers, as the environment of programs names them.
///
/// ```swift
/// var configuration = HTTPTransportConfiguration()
/// configuration.proxyRules = try HTTPProxyRules(environment: ProcessInfo.processInfo.environment)
/// ```
public struct HTTPProxyRules: Sendable, Hashable {
    /// The proxy for `http`; `nil` for none.
    public var http: HTTPProxy?

    /// The proxy for `https`; `nil` for none.
    public var https: HTTPProxy?

    /// The servers that are reached without a proxy.
    public var exceptions: [HTTPProxyException]

    /// Makes rules.
    ///
    /// - Parameters:
    ///   - http: The proxy for `http`.
    ///   - https: The proxy for `https`.
    ///   - exceptions: The servers that are reached without a proxy.
    public init(http: HTTPProxy? = nil, https: HTTPProxy? = nil, exceptions: [HTTPProxyException] = []) {
        (self.http, self.https, self.exceptions) = (http, https, exceptions)
    }

    /// Reads the variables that programs agree on: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` for what these leave open, and
    /// `NO_PROXY`; in small letters, too, which win.
    ///
    /// A proxy is `http://user:password@host:port`, `socks5://host:port`, or `host:port`. `NO_PROXY` has names with commas
    /// between them: `example.com` is also for every host below it; addresses, or ranges of them (`10.0.0.0/8`); each with
    /// a port or without; `*` for all.
    ///
    /// - Parameter environment: The program's variables.
    /// - Throws: `URLError.badURL` for a proxy that makes no sense, `.unsupportedURL` for one of another kind.
    public init(environment: [String: String]) throws {
        let value = { (name: String) -> String? in
            let values = [environment[name.lowercased()], environment[name]]
            return values.compactMap { $0?.trimmingCharacters(in: .whitespaces) }.first
        }
        let proxy = { (name: String, text: String?) throws -> HTTPProxy? in
            guard let text, !text.isEmpty else { return nil }
            return try HTTPProxy(text, variable: name)
        }
        // A web server's program gets the field `Proxy` of a request as HTTP_PROXY (httpoxy.org).
        let isInServer = environment["REQUEST_METHOD"] != nil
        let plain = isInServer ? environment["http_proxy"] : value("HTTP_PROXY")
        http = try plain.map { try proxy("HTTP_PROXY", $0) } ?? proxy("ALL_PROXY", value("ALL_PROXY"))
        https = try value("HTTPS_PROXY").map { try proxy("HTTPS_PROXY", $0) } ?? proxy("ALL_PROXY", value("ALL_PROXY"))
        exceptions = (value("NO_PROXY") ?? "").split { $0 == "," || $0.isWhitespace }
            .compactMap { HTTPProxyException(String($0)) }
    }

    /// The proxy for a server; `nil` for none.
    func proxy(isSecure: Bool, host: String, port: Int) -> HTTPProxy? {
        guard let proxy = isSecure ? https : http else { return nil }
        return exceptions.contains { $0.matches(host: host, port: port) } ? nil : proxy
    }
}

extension HTTPProxy {
    /// Reads a proxy's URL.
    fileprivate init(_ text: String, variable: String) throws {
        let bad = { (code: URLError.Code, why: String) in
            // The variable, and not what it says: a password may be in it.
            URLError.answer(code, description: "\(variable) \(why)")
        }
        let parts = URLComponents(string: text.contains("://") ? text : "http://\(text)")
        guard let parts, let host = parts.host, !host.isEmpty else { throw bad(.badURL, "names no proxy") }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        if let port = parts.port, UInt16(exactly: port) == nil { throw bad(.badURL, "has a port that can't be") }
        switch parts.scheme?.lowercased() {
        case "http":
            self = .http(host: name, port: parts.port ?? 80, user: parts.user, password: parts.password)
            forwards = true
        case "socks5", "socks5h", "socks":
            self = .socks(host: name, port: parts.port ?? 1080, user: parts.user, password: parts.password)
        default: throw bad(.unsupportedURL, "names a proxy of a kind that isn't supported: http and socks5 are")
        }
    }
}
