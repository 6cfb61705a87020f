import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@Suite("The command on Nextcloud")
struct NextcloudTests {
    let sandbox: Sandbox
    let server: NextcloudServer

    init() async throws {
        sandbox = try Sandbox()
        server = try await NextcloudServer.start()
    }

    private func addRemote() async throws {
        let outcome = try await sandbox.ferry(
            ["remote", "add", "nc", "--type", "nextcloud", "--url", server.url.absoluteString, "--user", "alice"],
            password: "secret"
        )
        try #require(outcome.code == 0, "\(outcome)")
    }

    @Test("adding it asks the server once what it is; later runs need not")
    func add() async throws {
        try await addRemote()
        let object = try #require(try await sandbox.ferry("remote", "list", "--json").objects.first)
        #expect(object["type"] as? String == "nextcloud")
        #expect((object["url"] as? String)?.contains("/files/alice") == true)
        server.forget()
        #expect(try await sandbox.ferry("ls", "nc:").code == 0)
        #expect(!server.requests.contains { ($0.path ?? "").contains("/ocs/") })
        let refused = try await sandbox.ferry(
            ["remote", "add", "no", "--type", "nextcloud", "--url", server.url.absoluteString, "--user", "alice"],
            password: "wr0ng"
        )
        #expect(refused.code == 1 && !refused.errors.contains("wr0ng"), "\(refused)")
        #expect(try await sandbox.ferry("remote", "list").lines.count == 1)
        await server.stop()
    }

    @Test("a login in the browser stores a password for ferry alone")
    func login() async throws {
        let added = try await sandbox.ferry("remote", "add", "nc", "--type", "nextcloud", "--url", "\(server.url)")
        #expect(added.errors == "nc: is there; log in with 'ferry remote login nc'\n")
        async let outcome = sandbox.ferry("remote", "login", "nc")
        try await until("ferry asks whether somebody has said yes") {
            server.requests.contains { ($0.path ?? "").hasSuffix("/login/v2/poll") }
        }
        server.grantLogins()
        let shown = try await outcome.errors
        #expect(shown.contains("/login/v2/flow/") && shown.hasSuffix("nc: logged in as alice\n"), "\(shown)")
        #expect(try await sandbox.ferry("ls", "nc:").code == 0)
        await server.stop()
    }

    @Test("many small files go there in few requests, and come back as they were")
    func bulk() async throws {
        try await addRemote()
        server.forget()
        let outcome = try await sandbox.bash(
            """
            mkdir -p d/e; for i in $(seq 120); do echo $i > d/$i; echo e$i > d/e/$i; done
            touch -d 2020-01-02T03:04:05Z d/7
            ferry cp -r d nc: && ferry cp -r nc:d back && diff -r d back && stat -c %Y back/7
            """
        )
        #expect(outcome.output == "1577934245\n", "\(outcome)")
        #expect(server.requests.filter { $0.method == .put }.count < 120)
        await server.stop()
    }

    @Test("links, trash, versions and theme")
    func abilities() async throws {
        try await addRemote()
        let made = try await sandbox.bash(
            """
            echo -n one | ferry write nc:a; echo -n two | ferry write -f nc:a
            ferry link create nc:a --expires 2099-01-31; ferry link create nc:a
            ferry link list nc: | wc -l; ferry link revoke nc:a; ferry link revoke nc:a --all; ferry link list nc:a
            ferry theme nc | grep -c color
            ferry rm nc:a; ferry trash list nc: --json | jq -r .path; ferry trash restore nc:a; ferry cat nc:a
            """
        )
        let lines = made.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 6, "\(made)")
        #expect(lines.prefix(2).allSatisfy { $0.hasPrefix("http") })
        #expect(lines.dropFirst(2) == ["2", "1", "/a", "two"], "\(made)")
        #expect(made.errors == "ferry: nc:a: several links lead to it, say which, or give --all\n")
        await server.stop()
    }
}
