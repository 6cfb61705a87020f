import FerryCore
import FerryTestServers
import Foundation
import Synchronization
import Testing

@testable import FerrySFTP

/// Logins at a real server, each by a line of its own.
@Suite("Logins over SSH")
struct LoginTests {
    @Test("a key of each kind logs in", arguments: SSHKeyKind.allCases)
    func keys(_ kind: SSHKeyKind) async throws {
        let server = try await SSHServer.shared()
        let key = try await server.makeKey(kind)
        try await Self.expectLogin(server, .keyFile(key.path))
    }

    @Test("the option key-file names a key")
    func keyFile() async throws {
        let server = try await SSHServer.shared()
        let key = try await server.makeKey(.ed25519)
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(.keyFile("/nonexistent"))
        options.keyFiles = [key.path]
        try await Self.expectLogin(server, options)
    }

    @Test("a key file's passphrase is the credential's password, which goes to no server")
    func passphrase() async throws {
        let server = try await SSHServer.shared()
        let key = try await server.makeKey(.ed25519, passphrase: "open sesame")
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(.keyFile(key.path))
        options.keyFiles = [key.path]
        try await Self.expectLogin(server, options, secret: .password("open sesame"))
    }

    @Test("a private key that is in no file logs in, and is in none afterwards")
    func keyInMemory() async throws {
        let server = try await SSHServer.shared()
        let key = try await server.makeKey(.ed25519)
        let text = try String(contentsOfFile: key.path, encoding: .utf8)
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(.keyFile("/nonexistent"))
        try await Self.expectLogin(server, options, secret: .token(text))
    }

    @Test("an agent's key logs in")
    func agent() async throws {
        let server = try await SSHServer.shared()
        let key = try await server.makeKey(.ed25519)
        let agent = try await SSHAgent.start(holding: [key])
        try await Self.expectLogin(server, .agent(agent.socket))
        withExtendedLifetime(agent) {}
    }

    @Test("a jump host of the configuration is the way, each host with its own keys")
    func proxyJump() async throws {
        let server = try await SSHServer.shared()
        let jump = try await SSHServer.shared(SSHServer.Options(isConfined: false))
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(lines: jump.jumpLines())
        try await Self.expectLogin(server, options)
        // There is no other way.
        let port = try ReservedPort()
        options.configurationFile = try await server.clientConfiguration(lines: jump.jumpLines(port: port.port))
        let files = try SFTPFileProvider(baseURL: server.makePlace().url(), options: options)
        await #expect(throws: (any Error).self) { try await files.contentsOfDirectory(path: "/") }
        await files.invalidate()
    }

    @Test("a password is given once, and one login serves several lines")
    func password() async throws {
        let server = try await SSHServer.shared()
        try #require(server.takesPasswords, "passwords take root")
        let person = Person { _ in server.password }
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(.password)
        let place = try server.makePlace()
        defer { place.remove() }
        let files = try SFTPFileProvider(baseURL: place.url(), options: options, asking: person)
        #expect(try await files.session.connections(3).count == 3)
        try await files.writeContents(path: "/a", contents: Data("a".utf8))
        #expect(person.questions.count == 1)
        await files.invalidate()
    }

    @Test("a password is in no argument and no variable of the program that logs in")
    func secrecy() async throws {
        let server = try await SSHServer.shared()
        try #require(server.takesPasswords, "passwords take root")
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(.password)
        let secret = FileProviderCredential(user: server.user, secret: .password(server.password))
        let files = try SFTPFileProvider(baseURL: server.url(), credential: secret, options: options)
        _ = try await files.attributesOfItem(path: "/")
        let mark = Data("\(server.port)".utf8)
        var seen = 0
        for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int32(process) != nil {
            let texts = ["cmdline", "environ"].map {
                FileManager.default.contents(atPath: "/proc/\(process)/\($0)") ?? Data()
            }
            guard texts[0].starts(with: Data("/usr/bin/ssh\0".utf8)), texts[0].range(of: mark) != nil else { continue }
            seen += 1
            for text in texts { #expect(text.range(of: Data(server.password.utf8)) == nil) }
        }
        #expect(seen > 0)
        await files.invalidate()
    }

    @Test("a wrong password is told as such, and not asked about again")
    func wrongPassword() async throws {
        let server = try await SSHServer.shared()
        try #require(server.takesPasswords, "passwords take root")
        let person = Person { _ in "wrong" }
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(.password)
        let error = await Self.error(of: try SFTPFileProvider(baseURL: server.url(), options: options, asking: person))
        #expect(error?.code == .userAuthenticationRequired)
        #expect(person.questions.count == 1)
    }

    @Test("where nobody can be asked, the error says what the server wants to know")
    func unanswered() async throws {
        let server = try await SSHServer.shared()
        try #require(server.takesPasswords, "passwords take root")
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(.password)
        let error = await Self.error(of: try SFTPFileProvider(baseURL: server.url(), options: options))
        #expect(error?.code == .userAuthenticationRequired)
        #expect(error?.localizedDescription.contains("password") == true)
    }

    @Test("an unknown server is asked about, and known from then on")
    func unknownServer() async throws {
        let server = try await SSHServer.shared()
        let configuration = try await server.clientConfiguration(known: .none)
        var options = SFTPOptions()
        options.configurationFile = configuration
        let refused = await Self.error(of: try SFTPFileProvider(baseURL: server.url(), options: options))
        #expect(refused?.code == .serverCertificateHasUnknownRoot)
        let person = Person { if case .hostKey = $0 { "yes" } else { nil } }
        for count in [1, 1] {
            let files = try SFTPFileProvider(baseURL: server.url(), options: options, asking: person)
            _ = try await files.attributesOfItem(path: "/")
            #expect(person.questions.count == count)
            await files.invalidate()
        }
        let fingerprint = try await server.fingerprint()
        #expect(person.questions.first?.text.contains(fingerprint) == true)
    }

    @Test("a changed key is refused, whatever a person says")
    func changedKey() async throws {
        let server = try await SSHServer.shared()
        let person = Person { _ in "yes" }
        for line in ["StrictHostKeyChecking ask", "StrictHostKeyChecking no"] {
            var options = SFTPOptions()
            options.configurationFile = try await server.clientConfiguration(known: .changed, lines: [line])
            let error = await Self.error(
                of: try SFTPFileProvider(baseURL: server.url(), options: options, asking: person)
            )
            #expect(error?.code == .serverCertificateUntrusted, "\(line): \(String(describing: error))")
            #expect(error?.localizedDescription.contains("another key than before") == true)
        }
        #expect(person.questions.isEmpty)
    }

    @Test("a fingerprint pins the server's key, and no known host counts then")
    func fingerprint() async throws {
        let server = try await SSHServer.shared()
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(known: .changed)
        options.fingerprints = ["SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]
        let error = await Self.error(of: try SFTPFileProvider(baseURL: server.url(), options: options))
        #expect([.serverCertificateHasUnknownRoot, .serverCertificateUntrusted].contains(error?.code))
        options.fingerprints.append(try await server.fingerprint())
        try await Self.expectLogin(server, options)
    }

    @Test("the option known-hosts names the file that is read and written in place of the configuration's")
    func knownHostsFile() async throws {
        let server = try await SSHServer.shared()
        let configuration = try await server.clientConfiguration()
        let lines = try String(contentsOfFile: configuration, encoding: .utf8).split(separator: "\n")
        let known = try #require(lines.first { $0.hasPrefix("UserKnownHostsFile ") }?.split(separator: " ").last)
        let file = FileManager.default.temporaryDirectory.appending(path: "known hosts \(UUID().uuidString) 100%")
        defer { try? FileManager.default.removeItem(at: file) }
        var options = SFTPOptions()
        options.knownHostsFile = file.path
        options.configurationFile = configuration
        let refused = await Self.error(of: try SFTPFileProvider(baseURL: server.url(), options: options))
        #expect(refused?.code == .serverCertificateHasUnknownRoot)

        let person = Person { if case .hostKey = $0 { "yes" } else { nil } }
        let files = try SFTPFileProvider(baseURL: server.url(), options: options, asking: person)
        _ = try await files.attributesOfItem(path: "/")
        await files.invalidate()
        let (written, right) = (
            try String(contentsOf: file, encoding: .utf8), try String(contentsOfFile: String(known), encoding: .utf8)
        )
        let key: (String) -> [Substring] = { $0.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("AAAA") } }
        #expect(!Set(key(written)).isDisjoint(with: key(right)))
        options.configurationFile = try await server.clientConfiguration(known: .changed)
        try await Self.expectLogin(server, options)
    }

    @Test("a jump host is passed as the configuration says")
    func jumpHost() async throws {
        let server = try await SSHServer.shared()
        let gate = try await SSHServer.shared(SSHServer.Options(isConfined: false))
        let inner = try await gate.clientConfiguration(lines: ["User \(gate.user)"])
        let proxy = "ProxyCommand ssh -F \(inner) -p \(gate.port) -W 127.0.0.1:\(server.port) 127.0.0.1"
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(lines: [proxy])
        try await Self.expectLogin(server, options)
    }

    @Test("a server without SFTP, a host that isn't there and a program that isn't there are told as such")
    func noSuchThing() async throws {
        let server = try await SSHServer.shared()
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration()
        let url = try #require(URL(string: "sftp://nobody-\(UUID().uuidString.prefix(8)).invalid/"))
        let missing = await Self.error(of: try SFTPFileProvider(baseURL: url, options: options))
        #expect(missing?.code == .cannotFindHost)
        options.program = "ferry-has-no-such-program"
        let files = try SFTPFileProvider(baseURL: server.url(), options: options)
        await #expect(throws: CocoaError.self) { try await files.attributesOfItem(path: "/") }
        options.program = "ssh"
        options.configurationFile = "/nonexistent/ssh_config"
        let strange = try SFTPFileProvider(baseURL: server.url(), options: options)
        await #expect(throws: URLError.self) { try await strange.attributesOfItem(path: "/") }
    }

    @Test("a line that breaks is made anew")
    func reconnection() async throws {
        let server = try await SSHServer.shared()
        let place = try server.makePlace()
        defer { place.remove() }
        try await withFaultProxy(to: server.port) { proxy in
            var options = SFTPOptions()
            options.configurationFile = try await server.clientConfiguration()
            let files = try SFTPFileProvider(baseURL: place.url(port: proxy.port), options: options)
            try await files.writeContents(path: "/a", contents: Data("a".utf8))
            try await proxy.cutAll()
            // Requests that are sent before the end of the line is seen fail with it.
            try await until("the line is made anew") { (try? await files.contents(path: "/a")) == Data("a".utf8) }
            #expect(proxy.connectionCount == 2)
            await files.invalidate()
        }
    }

    @Test("nothing of a login is left: no process, no folder, no descriptor")
    func leavesNothing() async throws {
        let server = try await SSHServer.shared()
        let folder = URL(filePath: "/tmp/ferry-test-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration()
        options.temporaryFolder = folder
        let files = try SFTPFileProvider(baseURL: server.url(), options: options)
        _ = try await files.session.connections(3)
        let names = { try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) }
        #expect(try names().count == 1)
        await files.invalidate()
        try await until("the folder is empty") { try names().isEmpty }
        await #expect(throws: CancellationError.self) { try await files.attributesOfItem(path: "/") }
    }

    // MARK: -

    private static func expectLogin(_ server: SSHServer, _ login: SSHServer.Login) async throws {
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration(login)
        try await expectLogin(server, options)
    }

    private static func expectLogin(
        _ server: SSHServer,
        _ options: SFTPOptions,
        secret: FileProviderCredential.Secret? = nil
    ) async throws {
        let credential = secret.map { FileProviderCredential(user: server.user, secret: $0) }
        let files = try SFTPFileProvider(baseURL: server.url(), credential: credential, options: options)
        #expect(try await files.attributesOfItem(path: "/").isDirectory)
        await files.invalidate()
    }

    private static func error(of files: SFTPFileProvider) async -> URLError? {
        do {
            _ = try await files.attributesOfItem(path: "/")
            Issue.record("the login went well")
            return nil
        } catch {
            if !(error is URLError) { Issue.record("\(error)") }
            return error as? URLError
        }
    }
}

/// Answers, and remembers what was asked.
private final class Person: LoginQuestionAnswering {
    private let asked = Mutex<[LoginQuestion]>([])
    private let reply: @Sendable (LoginQuestion) -> String?

    init(_ reply: @escaping @Sendable (LoginQuestion) -> String?) {
        self.reply = reply
    }

    var questions: [LoginQuestion] { asked.withLock { $0 } }

    func answer(_ question: LoginQuestion) async throws -> String? {
        asked.withLock { $0.append(question) }
        return reply(question)
    }
}
