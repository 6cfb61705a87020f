import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Testing

@Suite("Over TLS, every transport")
struct TransportTLSTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
    }

    @Test(
        "believes an authority that it was given, in addition to the system's or alone",
        arguments: [TransportKind.nio]
    )
    func ownAuthority(kind: TransportKind) async throws {
        try await withServer(LoopbackTLS(authority.issue())) { server in
            for trust in [HTTPTrust.only([.pem(pem)]), .system(and: [.pem(pem)])] {
                try await withTransport(kind, trusting(trust)) { transport async throws in
                    #expect(try await transport.text(.get, server.url) == "secret")
                    #expect(try await transport.text(.get, server.url(host: "localhost")) == "secret")
                }
            }
        }
    }

    @Test("takes an authority from a file, PEM or DER", arguments: [TransportKind.nio])
    func authorityInFile(kind: TransportKind) async throws {
        let file = FileManager.default.temporaryDirectory.appending(component: "ferry-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        let base64 = authority.certificatePEM.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let der = try #require(Data(base64Encoded: base64))
        // As an editor on another system writes it.
        let foreign = Data("\u{FEFF}\(authority.certificatePEM.replacing("\n", with: " \r\n"))\r\n".utf8)
        try await withServer(LoopbackTLS(authority.issue())) { server in
            for content in [pem, der, foreign] {
                try content.write(to: file)
                try await withTransport(kind, trusting(.only([.file(file.path())]))) { transport async throws in
                    #expect(try await transport.text(.get, server.url) == "secret")
                }
            }
            try await withTransport(kind, trusting(.only([.der(der)]))) { transport async throws in
                #expect(try await transport.text(.get, server.url) == "secret")
            }
        }
    }

    @Test("refuses to be made with certificates that are none", arguments: TransportKind.allCases)
    func noCertificates(kind: TransportKind) async throws {
        for source in [HTTPCertificateSource.pem(Data("nothing".utf8)), .der(Data([1, 2, 3])), .file("/gone")] {
            #expect(throws: (any Error).self) { try kind.make(trusting(.only([source]))) }
        }
    }

    @Test("trusts nobody unknown", arguments: TransportKind.allCases)
    func unknown(kind: TransportKind) async throws {
        let other = try TestAuthority(name: "Somebody else")
        try await withServer(LoopbackTLS(authority.issue())) { server in
            // URLSession can't be told whom to trust: see `URLSessionTransport`.
            let others = kind == .urlSession ? [] : [HTTPTrust.only([.pem(Data(other.certificatePEM.utf8))])]
            for trust in [HTTPTrust.system] + others {
                try await withTransport(kind, trusting(trust)) { transport async throws in
                    let code = await failureCode { _ = try await transport.text(.get, server.url) }
                    #expect(code.map { Self.untrusted.contains($0) } == true)
                }
            }
        }
    }

    @Test("trusts no certificate that vouches for itself", arguments: [TransportKind.nio])
    func selfSigned(kind: TransportKind) async throws {
        try await withServer(LoopbackTLS(.selfSigned())) { server in
            try await expectUntrusted(kind, server, code: .serverCertificateUntrusted)
        }
    }

    @Test("trusts no certificate that has expired, or isn't valid yet", arguments: [TransportKind.nio])
    func badDate(kind: TransportKind) async throws {
        let future = Date(timeIntervalSinceNow: 86400)..<Date(timeIntervalSinceNow: 2 * 86400)
        for (validity, code) in [
            (Range<Date>.past, URLError.Code.serverCertificateHasBadDate), (future, .serverCertificateNotYetValid),
        ] {
            try await withServer(LoopbackTLS(authority.issue(validity: validity))) { server in
                try await expectUntrusted(kind, server, code: code)
            }
        }
    }

    @Test("trusts no certificate of another host", arguments: [TransportKind.nio])
    func wrongName(kind: TransportKind) async throws {
        try await withServer(LoopbackTLS(authority.issue(for: ["elsewhere.example.com"]))) { server in
            try await expectUntrusted(kind, server, code: .serverCertificateUntrusted)
            try await expectUntrusted(kind, server, host: "localhost", code: .serverCertificateUntrusted)
        }
    }

    @Test("speaks no TLS before 1.2", arguments: [TransportKind.nio])
    func oldVersion(kind: TransportKind) async throws {
        var tls = LoopbackTLS(try authority.issue())
        tls.isOutdated = true
        try await withServer(tls) { server in
            try await withTransport(kind, trusting(.only([.pem(pem)]))) { transport async throws in
                #expect(
                    await failureCode { _ = try await transport.text(.get, server.url) } == .secureConnectionFailed
                )
            }
        }
    }

    @Test("tells that a server speaks no TLS", arguments: TransportKind.allCases)
    func noTLS(kind: TransportKind) async throws {
        try await withLoopbackServer { _ in
            LoopbackAnswer(.ok)
        } perform: { server in
            try await withTransport(kind) { transport async throws in
                let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
                let code = await failureCode { _ = try await transport.text(.get, url) }
                #expect(code == .secureConnectionFailed)
            }
        }
    }

    @Test("shows a client certificate to who asks", arguments: [TransportKind.nio], [nil, true, false])
    func clientCertificate(kind: TransportKind, isGood: Bool?) async throws {
        let issuer = isGood == false ? try TestAuthority(name: "Somebody else") : authority
        let certificate = try issuer.issue(for: ["client"], isForClients: true)
        var configuration = trusting(.only([.pem(pem)]))
        if isGood != nil {
            configuration.clientCertificate = HTTPClientCertificate(
                chain: .pem(Data(certificate.certificatePEM.utf8)),
                key: .pem(Data(certificate.keyPEM.utf8))
            )
        }
        let tls = LoopbackTLS(try authority.issue(), clientAuthorityPEM: authority.certificatePEM)
        try await withServer(tls) { server in
            try await withTransport(kind, configuration) { transport async throws in
                switch isGood {
                case true?:
                    #expect(try await transport.text(.get, server.url) == "secret")
                case false?:
                    let code = await failureCode { _ = try await transport.text(.get, server.url) }
                    #expect(code == .clientCertificateRejected)
                case nil:
                    let code = await failureCode { _ = try await transport.text(.get, server.url) }
                    #expect(code == .clientCertificateRequired)
                }
            }
        }
    }

    @Test("takes no answer for complete that is cut without TLS's goodbye", arguments: [TransportKind.nio])
    func uncleanEnd(kind: TransportKind) async throws {
        let tls = LoopbackTLS(try authority.issue())
        let text = String(repeating: "x", count: 50_000)
        // Its length isn't said: so it ends with the connection, and an end without goodbye may be an attack.
        let server = try await LoopbackServer.start(tls: tls) { _ in
            var answer = LoopbackAnswer(.ok, fields: [.connection: "close", .transferEncoding: "identity"], text: text)
            answer.closes = true
            return answer
        }
        try await withFaultProxy(to: server.port) { proxy in
            try await withTransport(kind, trusting(.only([.pem(pem)]))) { transport async throws in
                proxy.fault = .cutAnswer(after: 30_000)
                let url = proxy.url(like: server.url)
                #expect(await failureCode { _ = try await transport.text(.get, url) } == .networkConnectionLost)
            }
        }
        await server.stop()
    }

    // MARK: -

    private static let untrusted: [URLError.Code] = [.serverCertificateUntrusted, .serverCertificateHasUnknownRoot]

    private var pem: Data { Data(authority.certificatePEM.utf8) }

    private func trusting(_ trust: HTTPTrust) -> HTTPTransportConfiguration {
        var configuration = HTTPTransportConfiguration()
        configuration.trust = trust
        return configuration
    }

    private func withServer(_ tls: LoopbackTLS, _ body: (LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer(tls: tls, { _ in LoopbackAnswer(.ok, text: "secret") }, perform: body)
    }

    private func expectUntrusted(
        _ kind: TransportKind,
        _ server: LoopbackServer,
        host: String = "127.0.0.1",
        code: URLError.Code
    ) async throws {
        try await withTransport(kind, trusting(.only([.pem(pem)]))) { transport async throws in
            let seen = await failureCode { _ = try await transport.text(.get, server.url(host: host)) }
            #expect(seen == code)
            #expect(server.requests.isEmpty)
        }
    }
}
