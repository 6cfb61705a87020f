import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("A server that nobody should trust", .timeLimit(.minutes(30)))
struct CertificateTests {
    /// The problem with the server.
    enum Problem: CaseIterable, Sendable {
        case expired
        case anotherName
        case unknownAuthority
        case tooOld
    }

    private static let codes: [Problem: Set<URLError.Code>] = [
        .expired: [.serverCertificateHasBadDate],
        .anotherName: [.serverCertificateUntrusted],
        .unknownAuthority: [.serverCertificateHasUnknownRoot, .serverCertificateUntrusted],
        .tooOld: [.secureConnectionFailed],
    ]

    @Test("gets no request and no password, and a server that one can trust is talked to", arguments: Problem.allCases)
    func untrusted(problem: Problem) async throws {
        let authority = try TestAuthority()
        let certificate =
            switch problem {
            case .expired: try authority.issue(validity: .past)
            case .anotherName: try authority.issue(for: ["other.example"])
            case .unknownAuthority: try TestAuthority(name: "Somebody else").issue()
            case .tooOld: try authority.issue()
            }
        var tls = LoopbackTLS(certificate)
        tls.isOutdated = problem == .tooOld
        let server = DAVServer(.apache)
        let bad = try await LoopbackServer.startStreaming(tls: tls, server.answer)
        let good = try await LoopbackServer.startStreaming(tls: LoopbackTLS(authority.issue()), server.answer)
        var configuration = HTTPTransportConfiguration()
        configuration.trust = .only([.pem(Data(authority.certificatePEM.utf8))])
        // One transport for both, so that what the first does to it is seen.
        let transport = try NIOTransport(configuration)
        let files = { (server: LoopbackServer) in
            try WebDAVFileProvider(
                baseURL: server.url.appending(path: "dav/"),
                credential: FileProviderCredential(user: "ferry", secret: .password("s3cret")),
                options: WebDAVOptions(),
                transport: transport,
                environment: FileProviderEnvironment(),
                clock: InstantClock()
            )
        }
        var error = await failure { try await files(bad).contentsOfDirectory(path: "/") }
        // The second look, which finds the reason, has a few seconds: too few at times on a busy machine.
        for _ in 0..<20 where problem == .expired && (error as? URLError)?.code == .serverCertificateUntrusted {
            error = await failure { try await files(bad).contentsOfDirectory(path: "/") }
        }
        let code = (error as? URLError)?.code
        #expect(code.map { Self.codes[problem]?.contains($0) == true } == true, "\(String(describing: error))")
        let write = await failure { try await files(bad).writeContents(path: "/a", contents: Data("a".utf8)) }
        #expect(write is URLError)
        #expect(bad.requests.isEmpty)
        #expect(server.names == [])
        try await files(good).writeContents(path: "/a", contents: Data("a".utf8))
        #expect(server.text("/a") == "a")
        while bad.openConnectionCount > 0 { await Task.yield() }
        await transport.shutdown()
        while good.openConnectionCount > 0 { await Task.yield() }
        await bad.stop()
        await good.stop()
    }
}
