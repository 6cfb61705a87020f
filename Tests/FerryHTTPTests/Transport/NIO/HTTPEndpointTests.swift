import Foundation
import Testing

@testable import FerryHTTP

@Suite("What a URL names")
struct HTTPEndpointTests {
    @Test(
        "is a host and a port",
        arguments: [
            ("http", "example.com", "example.com", 80, "example.com"),
            ("https", "example.com", "example.com", 443, "example.com"),
            ("https", "example.com:", "example.com", 443, "example.com"),
            ("http", "127.0.0.1:8080", "127.0.0.1", 8080, "127.0.0.1:8080"),
            ("http", "[::1]", "::1", 80, "[::1]"),
            ("http", "[::1]:81", "::1", 81, "[::1]:81"),
            ("http", "[fe80::1%25eth0]:81", "fe80::1%eth0", 81, "[fe80::1]:81"),
            ("http", "münchen.example:81", "xn--mnchen-3ya.example", 81, "xn--mnchen-3ya.example:81"),
            ("http", "m%C3%BCnchen.example", "xn--mnchen-3ya.example", 80, "xn--mnchen-3ya.example"),
            ("http", "xn--mnchen-3ya.example", "xn--mnchen-3ya.example", 80, "xn--mnchen-3ya.example"),
        ]
    )
    func host(scheme: String, authority: String, name: String, port: Int, field: String) throws {
        let endpoint = try HTTPEndpoint(scheme: scheme, authority: authority)
        #expect(endpoint.place == .host(name, port: port))
        #expect(endpoint.hostField == field)
        #expect(endpoint.isSecure == (scheme == "https"))
        let isAddress = name.contains(":") || name.hasPrefix("127.")
        #expect(endpoint.serverName == (isAddress ? nil : name))
    }

    @Test("may be a socket of this machine")
    func socket() throws {
        let endpoint = try HTTPEndpoint(scheme: "http+unix", authority: "%2Frun%2FA.sock")
        #expect(endpoint.place == .unix(path: "/run/A.sock"))
        #expect(endpoint.hostField == "localhost")
        #expect(throws: URLError.self) { try HTTPEndpoint(scheme: "http+unix", authority: "A.sock") }
    }

    @Test(
        "is nothing where it makes no sense",
        arguments: [
            "", ":80", "a:b", "a:65536", "a:-1", "a b", "a%20b", "a\r\nb", "[::1", "user@host", "a:1:2", "%zz",
        ]
    )
    func nonsense(authority: String) {
        #expect(throws: URLError.self) { try HTTPEndpoint(scheme: "http", authority: authority) }
    }

    @Test("knows no other scheme")
    func scheme() {
        #expect(throws: URLError.self) { try HTTPEndpoint(scheme: "ftp", authority: "a") }
    }
}
