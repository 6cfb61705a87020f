import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("A configuration of a WebDAV server")
struct ConfigurationTests {
    @Test("names authorities and a certificate of our own by their files, and is written down as it was read")
    func certificates() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let authority = try TestAuthority()
        let own = try authority.issue(for: ["ann"], isForClients: true).write(to: folder)
        let authorityFile = folder.appending(component: "ca.pem")
        try Data(authority.certificatePEM.utf8).write(to: authorityFile)
        let tls = LoopbackTLS(try authority.issue(), clientAuthorityPEM: authority.certificatePEM)
        try await withLoopbackServer(tls: tls) { request in
            SmallDAV.answer(to: request.head)
        } perform: { server in
            let full = [
                "certificate-authority": authorityFile.path(), "client-certificate": own.certificate.path(),
                "client-key": own.key.path(),
            ]
            let files = try await provider(at: server.url, full)
            #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a.txt"])
            #expect(files.configuration.options == full)
            await files.invalidate()

            for (missing, code) in [
                ("client-certificate", URLError.Code.clientCertificateRequired),
                ("certificate-authority", .serverCertificateUntrusted),
            ] {
                let files = try await provider(at: server.url, full.filter { $0.key != missing })
                let error = await #expect(throws: URLError.self) { try await files.contentsOfDirectory(path: "/") }
                #expect(error?.code == code)
                await files.invalidate()
            }
        }
    }

    @Test("that asks for OAuth 2 says where, is written down as it was read, and works only after a login")
    func tokens() async throws {
        let server = try await OAuthServer.start()
        let token = server.url.appending(path: "token").absoluteString
        await #expect(throws: CocoaError.self) { try await provider(at: server.url, ["authentication": "oauth2"]) }
        let options = [
            "authentication": "oauth2", "oauth-token-url": token, "oauth-client-id": "ferry", "oauth-scopes": "a b",
        ]
        let files = try await provider(at: server.url, options)
        #expect(files.configuration.options == options)
        let error = await #expect(throws: URLError.self) { try await files.contentsOfDirectory(path: "/") }
        #expect(error?.code == .userAuthenticationRequired)
        await files.invalidate()
        await server.stop()
    }

    private func provider(at url: URL, _ options: [String: String]) async throws -> WebDAVFileProvider {
        try await WebDAVFileProvider(
            configuration: ProviderConfiguration(
                type: "webdav",
                baseURL: url.appending(path: "dav/"),
                options: options
            ),
            credentials: MemoryCredentialStore(),
            environment: FileProviderEnvironment()
        )
    }
}
