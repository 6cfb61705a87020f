import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@Suite("Through tinyproxy, a transport")
struct RealProxyTests {
    private static let login = (user: "ann", password: "s3cret")

    @Test("makes tunnels, with a login and without", arguments: [true, false])
    func tunnel(hasLogin: Bool) async throws {
        let proxy = try await ForwardProxy.start(login: hasLogin ? Self.login : nil)
        var configuration = HTTPTransportConfiguration.patient
        configuration.proxy =
            hasLogin
            ? .http(host: "127.0.0.1", port: proxy.port, user: Self.login.user, password: Self.login.password)
            : .http(host: "127.0.0.1", port: proxy.port)
        try await withLoopbackServer { request in
            LoopbackAnswer(.ok, text: request.text)
        } perform: { server in
            try await withTransport(.nio, configuration) { transport async throws in
                for _ in 0..<3 {
                    #expect(try await transport.text(.put, server.url, body: HTTPRequestBody("hello")) == "hello")
                }
                #expect(server.connectionCount == 1)
            }
        }
        #expect(proxy.log.contains("CONNECT 127.0.0.1"))
    }

    @Test("reaches a server over TLS, whose certificate is looked at as ever")
    func secure() async throws {
        let authority = try TestAuthority()
        let proxy = try await ForwardProxy.start()
        var configuration = HTTPTransportConfiguration()
        configuration.proxyRules = try HTTPProxyRules(environment: ["https_proxy": "127.0.0.1:\(proxy.port)"])
        try await withLoopbackServer(tls: LoopbackTLS(authority.issue())) { _ in
            LoopbackAnswer(.ok, text: "secret")
        } perform: { server in
            try await withTransport(.nio, configuration) { transport async throws in
                let code = await failureCode { _ = try await transport.text(.get, server.url) }
                #expect(code == .serverCertificateUntrusted)
            }
            configuration.trust = .only([.pem(Data(authority.certificatePEM.utf8))])
            try await withTransport(.nio, configuration) { transport async throws in
                #expect(try await transport.text(.get, server.url) == "secret")
            }
        }
        #expect(proxy.log.contains("CONNECT 127.0.0.1"))
    }

    @Test("has plain requests passed on by a proxy that makes tunnels for TLS only")
    func forwarded() async throws {
        let proxy = try await ForwardProxy.start(login: Self.login, isStrict: true)
        let url = "http://\(Self.login.user):\(Self.login.password)@127.0.0.1:\(proxy.port)"
        var configuration = HTTPTransportConfiguration()
        configuration.proxyRules = try HTTPProxyRules(environment: ["HTTP_PROXY": url])
        try await withLoopbackServer { request in
            LoopbackAnswer(.ok, text: "\(request.target) \(request.text)")
        } perform: { server in
            try await withTransport(.nio, configuration) { transport async throws in
                let text = try await transport.text(.put, server.url, "/a?b", body: HTTPRequestBody("hello"))
                #expect(text == "/a?b hello")
                #expect(server.requests.allSatisfy { $0.headerFields[.proxyAuthorization] == nil })
            }
        }
    }

    @Test("says what the proxy says when it refuses")
    func refused() async throws {
        let proxy = try await ForwardProxy.start(login: Self.login, isStrict: true)
        try await withLoopbackServer { _ in
            LoopbackAnswer(.ok)
        } perform: { server in
            for (user, password, code) in [
                (nil, nil, URLError.Code.userAuthenticationRequired), ("ann", "wrong", .userAuthenticationRequired),
                ("ann", "s3cret", .cannotConnectToHost),
            ] as [(String?, String?, URLError.Code)] {
                var configuration = HTTPTransportConfiguration()
                configuration.proxy = .http(host: "127.0.0.1", port: proxy.port, user: user, password: password)
                try await withTransport(.nio, configuration) { transport async throws in
                    let error = await failure { _ = try await transport.text(.get, server.url) } as? URLError
                    #expect(error?.code == code)
                    #expect(error?.localizedDescription.contains("the proxy") == true)
                    #expect(error?.localizedDescription.contains("tinyproxy") == true, "\(String(describing: error))")
                }
            }
            #expect(server.requests.isEmpty)
        }
    }
}
