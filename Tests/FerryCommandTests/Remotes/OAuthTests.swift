import FerryTestServers
import Foundation
import Testing

@Suite("A remote with OAuth 2")
struct OAuthTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func add(_ server: OAuthServer, _ more: String = "", secret: String? = nil) async throws {
        let url = server.url.absoluteString
        let outcome = try await sandbox.bash(
            """
            ferry remote add w --type webdav --url \(url)dav/ --auth oauth2 --authorization-url \(url)authorize \
            --token-url \(url)token --device-url \(url)device --client-id ferry --scope files --scope offline \(more)
            """,
            input: secret.map { $0 + "\n" }
        )
        #expect(outcome.errors == "w: is there; log in with 'ferry remote login w'\n", "\(outcome)")
    }

    private var secrets: String {
        String(decoding: FileManager.default.contents(atPath: sandbox.secretsFile) ?? Data(), as: UTF8.self)
    }

    /// Logs in with a desktop whose browser is curl, which goes where it is sent.
    private func logIn() async throws -> Sandbox.Outcome {
        try await sandbox.bash(
            """
            mkdir -p bin; printf '#!/bin/sh\\nexec curl -sL -o page.html "$1"\\n' > bin/xdg-open; chmod +x bin/xdg-open
            PATH=$PWD/bin:$PATH DISPLAY=:77 ferry remote login w
            """
        )
    }

    @Test("logs in with the browser, renews its token when it is refused, and keeps the one that replaces it")
    func browser() async throws {
        let server = try await OAuthServer.start()
        try await add(server)
        let early = try await sandbox.ferry("ls", "w:")
        #expect(
            early.errors == "ferry: nobody is logged in at 127.0.0.1, log in with 'ferry remote login w'\n",
            "\(early)"
        )
        let login = try await logIn()
        #expect(login.code == 0 && login.errors.hasSuffix("w: logged in\n"), "\(login)")
        #expect(login.errors.contains("\(server.url)authorize?") && login.output.isEmpty)
        for _ in 0..<3 {
            let list = try await sandbox.ferry("ls", "w:")
            #expect(list.output == "a.txt\n", "\(list)")
            server.endAccess()
        }
        #expect(server.grants == ["authorization_code", "refresh_token", "refresh_token"])
        for token in server.tokens { #expect(secrets.contains(token)) }
        let shown = try await sandbox.bash(
            "ferry remote show w; ferry remote show w --json; cat \(sandbox.remotesFile)"
        )
        #expect(shown.output.contains("login") && shown.output.contains("stored in \(sandbox.secretsFile)"))
        for token in server.tokens { #expect(!"\(shown)\(login)".contains(token)) }
        #expect(try await sandbox.ferry("remote", "remove", "w").code == 0)
        #expect(!secrets.contains("refresh-"))
        await server.stop()
    }

    @Test("logs in on another device, as an app with a secret, which is kept apart too")
    func device() async throws {
        let server = try await OAuthServer.start(clientSecret: "app's s3cret")
        try await add(server, "--client-secret-stdin", secret: "app's s3cret")
        let login = try await sandbox.ferry("remote", "login", "w", "--device")
        #expect(
            login.errors == """
                open https://login.example/device on any device, and type the code ABCD-EFGH
                w: logged in

                """
        )
        #expect(try await sandbox.ferry("ls", "w:").output == "a.txt\n")
        server.endAccess()
        #expect(try await sandbox.ferry("ls", "w:").output == "a.txt\n")
        let remotes = FileManager.default.contents(atPath: sandbox.remotesFile) ?? Data()
        #expect(!String(decoding: remotes, as: UTF8.self).contains("s3cret"))
        #expect(secrets.contains("app's s3cret"))
        #expect(try await sandbox.ferry("remote", "remove", "w").code == 0)
        #expect(!secrets.contains("s3cret"))
        await server.stop()
    }

    @Test("that is refused at the login stores nothing")
    func refused() async throws {
        let server = try await OAuthServer.start()
        try await add(server)
        server.refuseLogins()
        let login = try await logIn()
        #expect(login.code == 1 && login.errors.hasSuffix("the login was refused, log in again, and allow it\n"))
        #expect(!secrets.contains("access"))
        await server.stop()
    }

    @Test(
        "that lacks something, or has too much, is a mistake of the command line",
        arguments: [
            "--auth oauth2", "--auth oauth2 --token-url https://h/t --client-id f", "--token-url https://h/t",
            "--auth oauth2 --token-url https://h/t --device-url https://h/d --client-id f --password-stdin --user a",
        ]
    )
    func mistakes(_ options: String) async throws {
        let outcome = try await sandbox.bash("ferry remote add w --type webdav --url https://h/ \(options)")
        #expect(outcome.code == 64, "\(outcome)")
    }

    @Test("whose tokens would travel unprotected is refused")
    func unprotected() async throws {
        let options = "--auth oauth2 --token-url http://h.example/t --device-url https://h/d --client-id f"
        let outcome = try await sandbox.bash("ferry remote add w --type webdav --url https://h/ \(options)")
        #expect(
            outcome.errors
                == "ferry: http://h.example/t: not the URL of an authorization server, write https://host/path\n"
        )
        #expect(outcome.code == 1)
    }
}
