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

    @Test("adding it asks the server once what it is; later runs need not")
    func add() async throws {
        try await sandbox.addNextcloud(server)
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

    @Test("a remote of plain WebDAV that is a Nextcloud is told by a test")
    func plainRemote() async throws {
        let url = server.url.appending(path: "remote.php/dav/files/alice/").absoluteString
        let added = try await sandbox.ferry(
            ["remote", "add", "w", "--type", "webdav", "--url", url, "--user", "alice"],
            password: "secret"
        )
        try #require(added.code == 0, "\(added)")
        let outcome = try await sandbox.ferry("remote", "test", "w")
        #expect(outcome.code == 0 && outcome.errors.contains("w: note: this is a Nextcloud"), "\(outcome)")
        await server.stop()
    }

    @Test("a URL into its files is one of a Nextcloud: what is replaced keeps its number and its versions")
    func address() async throws {
        let files = "\(server.url.absoluteString.replacing("http://", with: "dav://alice@"))/remote.php/dav/files/alice"
            .replacing("1//remote", with: "1/remote")
        try sandbox.make("a.txt", "one")
        let first = try await sandbox.ferry(["cp", "a.txt", "\(files)/a b.txt"], password: "secret")
        #expect(first.code == 0, "\(first)")
        let number = try #require(server.node("a b.txt")).id
        try sandbox.make("a.txt", "another")
        let second = try await sandbox.ferry(["cp", "-f", "a.txt", "\(files)/a b.txt"], password: "secret")
        #expect(second.code == 0, "\(second)")
        #expect(server.node("a b.txt")?.id == number && server.node("a b.txt")?.content == Data("another".utf8))
        #expect(server.versions("a b.txt").count == 1)
        let listed = try await sandbox.ferry(["ls", files], password: "secret")
        #expect(listed.lines == ["a b.txt"], "\(listed)")
        server.forget()
        #expect(try await sandbox.ferry("ls", "--offline", files).lines == ["a b.txt"])
        #expect(try await sandbox.ferry("cache", "clear", files).code == 0)
        #expect(try await sandbox.ferry("ls", "--offline", files).errors.contains("isn't kept"))
        #expect(server.requests.isEmpty, "nobody is asked")
        let wrong = try await sandbox.ferry(["cat", "\(files)/none"], password: "secret")
        #expect(wrong.errors.contains("\(files)/none: no such file"), "\(wrong)")
        // Somebody else's files are not taken for one's own.
        let others = files.replacing("files/alice", with: "files/bob")
        let foreign = try await sandbox.ferry(["cat", "\(others)/a b.txt"], password: "secret")
        #expect(foreign.code == 1 && foreign.output == "", "\(foreign)")
        let undone = try await sandbox.ferry(["undo", "--any"], password: "secret")
        #expect(undone.code == 0 && server.node("a b.txt")?.content == Data("one".utf8), "\(undone)")
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

    /// Logs in with a browser.
    private func logIn() async throws {
        async let outcome = sandbox.ferry("remote", "login", "nc")
        try await until("ferry asks whether somebody has said yes") {
            server.requests.contains { ($0.path ?? "").hasSuffix("/login/v2/poll") }
        }
        server.grantLogins()
        try #require(try await outcome.code == 0)
        server.forget()
    }

    private var revocations: Int {
        server.requests.count { $0.method == .delete && ($0.path ?? "").contains("/core/apppassword") }
    }

    @Test(
        "a password that was made for ferry alone is revoked when it is forgotten, or replaced",
        arguments: ["logout", "remove", "login --password-stdin"]
    )
    func revoked(how: String) async throws {
        _ = try await sandbox.ferry("remote", "add", "nc", "--type", "nextcloud", "--url", "\(server.url)")
        try await logIn()
        try await logIn()
        #expect(server.appPasswords.count == 1, "the one before is no longer good")
        let words = how.split(separator: " ").map(String.init)
        let line = "echo secret | ferry remote \(words[0]) nc \(words.dropFirst().joined(separator: " "))"
        let outcome = try await sandbox.bash(line)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
        #expect(revocations == 1 && server.appPasswords.isEmpty)
        #expect(try await sandbox.ferry("remote", "logout", "nc").code == (how == "remove" ? 1 : 0))
        #expect(revocations == 1, "a password of the user's own is let be")
        await server.stop()
    }

    @Test("ferry's own password goes with its remote, also if another remote has one that somebody has made")
    func replaced() async throws {
        _ = try await sandbox.ferry("remote", "add", "nc", "--type", "nextcloud", "--url", "\(server.url)")
        try await logIn()
        // Another remote of the same account gets a password that somebody has made, and keeps it to itself.
        let shown = try await sandbox.ferry("remote", "show", "nc", "--json").objects.first
        let url = try #require(shown?["url"] as? String)
        let line = "echo secret | ferry remote add b --type nextcloud --url '\(url)' --user alice --password-stdin"
        #expect(try await sandbox.bash(line).code == 0)
        server.forget()
        #expect(try await sandbox.ferry("remote", "logout", "nc").errors == "")
        #expect(revocations == 1 && server.appPasswords.isEmpty)
        #expect(try await sandbox.ferry("ls", "b:").code == 0)
        await server.stop()
    }

    @Test("that a password could not be revoked is told, and it is forgotten all the same")
    func notRevoked() async throws {
        _ = try await sandbox.ferry("remote", "add", "nc", "--type", "nextcloud", "--url", "\(server.url)")
        try await logIn()
        await server.stop()
        let outcome = try await sandbox.ferry("remote", "logout", "nc")
        let words = "the server could not be told: its password for ferry is good until you revoke it there"
        #expect(outcome.code == 0 && outcome.errors == "nc: \(words)\n", "\(outcome)")
        #expect(try await sandbox.ferry("remote", "show", "nc", "--json").output.contains(#""hasPassword":false"#))
    }

    @Test("many small files go there in few requests, and come back as they were")
    func bulk() async throws {
        try await sandbox.addNextcloud(server)
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

    @Test("500 small files up are five bulks and five looks, and down one listing and a GET for each")
    func requestCounts() async throws {
        try await sandbox.addNextcloud(server)
        server.forget()
        let up = try await sandbox.bash("mkdir d; for i in $(seq 500); do echo $i > d/$i; done; ferry cp -r d nc:")
        #expect(up.code == 0, "\(up)")
        let methods = server.requests.map(\.method.rawValue)
        #expect(methods.count { $0 == "POST" } == 5 && methods.count { $0 == "PUT" } == 0, "\(methods)")
        // Beside what is at the target, and the folder itself.
        #expect(methods.count { $0 == "PROPFIND" } <= 5 + 2 && methods.count { $0 == "MKCOL" } == 1, "\(methods)")
        server.forget()
        let down = try await sandbox.bash("ferry cp -r nc:d back && diff -r d back")
        #expect(down.code == 0, "\(down)")
        let asked = server.requests.map(\.method.rawValue)
        #expect(asked.count { $0 == "GET" } == 500 && asked.count { $0 == "PROPFIND" } <= 3, "\(asked.count)")
        server.forget()
        let again = try await sandbox.bash(
            "touch -d 2020-01-02T03:04:05Z d/*; ferry cp -rf d/. nc:d"
        )
        #expect(again.code == 0, "\(again)")
        #expect(server.requests.count { $0.method == .post } == 5)
        #expect(server.requests.count { ["PROPFIND", "MKCOL"].contains($0.method.rawValue) } <= 4)
        await server.stop()
    }

    /// Adds the server, by a line of its own, as the remote `nc`, and kills an upload of 48 MB after 21 MB.
    ///
    /// - Parameters:
    ///   - command: Arguments of `ferry`.
    ///   - files: Makes what is uploaded.
    /// - Returns: The line, on which all goes well now, and how many chunks the server has.
    /// - Throws: The error that keeps it from being killed in the middle.
    private func killUpload(_ command: String, of files: String) async throws -> (line: FaultProxy, done: Int) {
        server.configure { $0.maximumChunkSize = 2 << 20 }
        let line = try await FaultProxy.start(to: server.url.port ?? 0)
        let url = line.url(like: server.url).absoluteString
        let added = try await sandbox.ferry(
            ["remote", "add", "nc", "--type", "nextcloud", "--url", url, "--user", "alice"],
            password: "secret"
        )
        try #require(added.code == 0, "\(added)")
        line.fault = Fault(.stall, .request, after: 21_000_000, counting: .fromNow)
        try await sandbox.kill(command, after: files) { line.strikeCount > 0 }
        try await line.cutAll()
        line.fault = nil
        // A chunk that was cut on its way may be there in part, and counts as none.
        let done = try #require(server.uploads.first?.value).values.count { $0 == 2 << 20 }
        return (line, done)
    }

    @Test("an upload that was killed goes on in the next run, with what is missing")
    func killedUpload() async throws {
        let (line, done) = try await killUpload("cp big nc:", of: "head -c 48000000 /dev/urandom > big")
        #expect(server.node("big") == nil && done >= 3)
        server.forget()
        let before = line.requestByteCount
        let again = try await sandbox.bash("ferry cp big nc: && ferry cat nc:big | cmp - big && ferry jobs")
        #expect(again.code == 0 && again.output.isEmpty, "\(again)")
        #expect(again.errors.contains("goes on with job"), "\(again)")
        let parts = (48_000_000 + (2 << 20) - 1) / (2 << 20)
        let puts = server.requests.filter { $0.method == .put }.map(\.path)
        #expect(Set(puts).count <= parts - done, "\(puts)")
        // On a very busy machine a line may be given up, and its chunk sent again.
        let repeated = puts.count - Set(puts).count
        #expect(repeated <= 1, "\(puts)")
        #expect(!server.requests.contains { $0.method.rawValue == "MKCOL" })
        #expect(line.requestByteCount - before < 48_000_000 - (done - 1 - repeated) * (2 << 20))
        #expect(server.uploads.isEmpty)
        await line.stop()
        await server.stop()
    }

    @Test("what is left of an upload that nobody can go on with goes with the next one")
    func killedStream() async throws {
        let (line, _) = try await killUpload("write nc:big < big", of: "head -c 48000000 /dev/urandom > big")
        #expect(server.uploads.count == 1)
        let again = try await sandbox.bash("ferry cp big nc:other && ferry cat nc:other | cmp - big")
        #expect(again.code == 0, "\(again)")
        #expect(server.uploads.isEmpty)
        await line.stop()
        await server.stop()
    }

    @Test("a tree whose upload was killed goes on in the next run, and no job is left")
    func killedTree() async throws {
        let make = """
            mkdir -p d/e; head -c 48000000 /dev/urandom > d/big; echo small > d/e/small; touch -d 2020-01-01 d/big
            """
        let (line, done) = try await killUpload("cp -r d nc:", of: make)
        #expect(server.node("d/big") == nil && done >= 3)
        #expect(try await sandbox.ferry("jobs", "list", "--json").objects.count == 1)
        server.forget()
        let before = line.requestByteCount
        let again = try await sandbox.bash("ferry cp -r d nc: && ferry cp -r nc:d back && diff -r d back")
        #expect(again.code == 0 && again.errors.contains("goes on with job"), "\(again)")
        #expect(line.requestByteCount - before < 48_000_000 - (done - 1) * (2 << 20))
        #expect(server.uploads.isEmpty)
        #expect(try await sandbox.ferry("jobs").output == "")
        // The same command later is another copy.
        let later = try await sandbox.bash("ferry cp -r -f d nc:")
        #expect(later.code == 0 && !later.errors.contains("goes on"), "\(later)")
        await line.stop()
        await server.stop()
    }

    @Test("a file that changes while it is moved there stays where it is")
    func changedWhileMoved() async throws {
        try await sandbox.addNextcloud(server)
        // The last request is refused until the file has changed, which was read by then.
        server.inject(NextcloudFault(.answer(423), method: "MOVE", path: "uploads", times: 100))
        async let moved = sandbox.bash(
            "head -c 12000000 /dev/urandom > big; touch -d 2020-01-01 big; $FERRY mv big nc:"
        )
        try await until("all was sent") {
            server.requests.contains { $0.method.rawValue == "MOVE" && ($0.path ?? "").contains("/uploads/") }
        }
        // At once: the request is not repeated for ever.
        let file = try #require(FileHandle(forWritingAtPath: sandbox.path + "/big"))
        try file.seekToEnd()
        try file.write(contentsOf: Data("more\n".utf8))
        try file.close()
        server.clearFaults()
        let outcome = try await moved
        #expect(outcome.code == 1 && outcome.errors.contains("it has changed since it was listed"), "\(outcome)")
        #expect(server.node("big")?.content.count == 12_000_000)
        #expect(try await sandbox.bash("stat -c %s big").output == "12000005\n")
        await server.stop()
    }

    @Test("a CA of one's own, a certificate of one's own and the way to prove who one is work here, too")
    func secured() async throws {
        let authority = try TestAuthority()
        let tls = LoopbackTLS(try authority.issue(), clientAuthorityPEM: authority.certificatePEM)
        let secure = try await NextcloudServer.start(tls: tls)
        let client = try authority.issue(for: ["alice"], isForClients: true)
        try sandbox.make("ca.pem", authority.certificatePEM)
        try sandbox.make("alice.pem", client.certificatePEM)
        try sandbox.make("alice.key", client.keyPEM)
        let basics = ["--type", "nextcloud", "--url", secure.url.absoluteString, "--user", "alice"]
        let refused = try await sandbox.ferry(["remote", "add", "no"] + basics, password: "secret")
        #expect(refused.code == 1, "\(refused)")
        let options = [
            "--ca-file", "ca.pem", "--client-cert", "alice.pem", "--client-key", "alice.key", "--auth", "basic",
        ]
        let added = try await sandbox.ferry(["remote", "add", "nc"] + basics + options, password: "secret")
        #expect(added.code == 0, "\(added)")
        let used = try await sandbox.bash("echo -n hello | ferry write nc:a && ferry cat nc:a")
        #expect(used.output == "hello", "\(used)")
        // A new login keeps whom to trust.
        async let login = sandbox.ferry("remote", "login", "nc")
        try await until("the login is asked for") {
            secure.requests.contains { ($0.path ?? "").hasSuffix("/login/v2/poll") }
        }
        secure.grantLogins()
        #expect(try await login.code == 0)
        #expect(try await sandbox.ferry("cat", "nc:a").output == "hello")
        await secure.stop()
        await server.stop()
    }

    @Test("what rclone knew too little of is asked for once, and written down")
    func imported() async throws {
        try sandbox.make(
            "rclone.conf",
            "[nc]\ntype = webdav\nvendor = nextcloud\nurl = \(server.url)remote.php/dav/files/alice/\nuser = alice\n"
        )
        #expect(try await sandbox.ferry("remote", "import", "rclone.conf").code == 0)
        let first = try await sandbox.ferry(["ls", "nc:"], password: "secret")
        #expect(first.code == 0, "\(first)")
        #expect(server.requests.contains { ($0.path ?? "").contains("/ocs/") })
        server.forget()
        let second = try await sandbox.ferry(["ls", "nc:"], password: "secret")
        #expect(second.code == 0 && !server.requests.contains { ($0.path ?? "").contains("/ocs/") }, "\(second)")
        await server.stop()
    }
}
