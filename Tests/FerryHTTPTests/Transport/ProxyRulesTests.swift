import FerryCore
import Foundation
import Testing

@testable import FerryHTTP

@Suite("The rules for proxies")
struct ProxyRulesTests {
    private func rules(_ environment: [String: String]) throws -> HTTPProxyRules {
        try HTTPProxyRules(environment: environment)
    }

    private func port(_ rules: HTTPProxyRules, isSecure: Bool = false, _ host: String, _ port: Int = 80) -> Int? {
        rules.proxy(isSecure: isSecure, host: host, port: port)?.port
    }

    @Test("are those of the environment, in capitals or small letters")
    func variables() throws {
        let both = try rules(["HTTP_PROXY": "http://a:1", "HTTPS_PROXY": "http://b:2", "ALL_PROXY": "socks5://c:3"])
        #expect(port(both, "x") == 1)
        #expect(port(both, isSecure: true, "x") == 2)
        let fallback = try rules(["HTTP_PROXY": "a:1", "all_proxy": "socks5h://c:3"])
        #expect(port(fallback, "x") == 1)
        #expect(port(fallback, isSecure: true, "x") == 3)
        #expect(fallback.https?.kind == .socks)
        let small = try rules(["HTTP_PROXY": "a:1", "http_proxy": "b:2"])
        #expect(port(small, "x") == 2)
        let empty = try rules(["ALL_PROXY": "a:1", "HTTP_PROXY": ""])
        #expect(port(empty, "x") == nil)
        #expect(try rules([:]) == HTTPProxyRules())
    }

    @Test("take no proxy from a field of a request")
    func server() throws {
        let field = try rules(["HTTP_PROXY": "a:1", "REQUEST_METHOD": "GET"])
        #expect(port(field, "x") == nil)
        let variable = try rules(["http_proxy": "a:1", "REQUEST_METHOD": "GET"])
        #expect(port(variable, "x") == 1)
    }

    @Test("know logins, default ports and addresses")
    func addresses() throws {
        let login = try #require(try rules(["HTTP_PROXY": "http://ann:open%20sesame@[::1]:3128/"]).http)
        #expect(login.host == "::1")
        #expect(login.port == 3128)
        #expect(login.user == "ann")
        #expect(login.password == "open sesame")
        #expect(try rules(["HTTP_PROXY": "http://a"]).http?.port == 80)
        #expect(try rules(["ALL_PROXY": "socks5://a"]).http?.port == 1080)
    }

    @Test("refuse what makes no sense, without showing it", arguments: ["http://", "https://a:s3cret@b", "a:99999"])
    func nonsense(text: String) {
        let error = #expect(throws: URLError.self) { try rules(["HTTPS_PROXY": text]) }
        #expect(error?.localizedDescription.contains("HTTPS_PROXY") == true)
        #expect(error.map { "\($0)".contains("s3cret") } == false)
    }

    @Test(
        "leave servers out",
        arguments: [
            ("example.com", "example.com", 80, true), ("example.com", "a.example.com", 80, true),
            (".example.com", "example.com", 80, true), ("*.example.com", "a.example.com", 80, true),
            ("example.com", "badexample.com", 80, false), ("Example.COM", "EXAMPLE.com.", 80, true),
            ("a,example.com", "example.com", 443, true), ("a  example.com", "example.com", 443, true),
            ("example.com:81", "example.com", 80, false), ("example.com:81", "example.com", 81, true),
            ("10.0.0.0/8", "10.200.3.4", 80, true), ("10.0.0.0/8", "11.0.0.1", 80, false),
            ("10.0.0.1", "10.0.0.1", 80, true), ("10.0.0.1:8080", "10.0.0.1", 80, false),
            ("192.168.0.0/17", "192.168.128.1", 80, false), ("0.0.0.0/0", "1.2.3.4", 80, true),
            ("fc00::/7", "fd12::1", 80, true), ("[::1]", "::1", 80, true), ("::1", "::1", 80, true),
            ("[::1]:81", "::1", 80, false), ("fe80::/10", "fe80::1%eth0", 80, true),
            ("10.0.0.0/33", "10.0.0.1", 80, false), ("*", "anything", 80, true), ("", "example.com", 80, false),
        ]
    )
    func exceptions(text: String, host: String, port: Int, isLeftOut: Bool) throws {
        let rules = try rules(["HTTP_PROXY": "a:1", "NO_PROXY": text])
        #expect((rules.proxy(isSecure: false, host: host, port: port) == nil) == isLeftOut)
    }
}
