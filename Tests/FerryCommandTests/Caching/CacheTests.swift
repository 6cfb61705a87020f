import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@Suite("The cache of the command")
struct CacheTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Adds a remote, and puts a tree there by a command that keeps nothing.
    private func serve() async throws -> NextcloudServer {
        let server = try await NextcloudServer.start()
        try await sandbox.addNextcloud(server)
        let made = try await sandbox.bash(
            "export FERRY_CACHE=off; mkdir -p d/e; echo one > d/a.txt; echo two > d/e/b.txt; ferry cp -r d nc:"
        )
        try #require(made.code == 0, "\(made)")
        return server
    }

    @Test("what is kept is told, listed and cleared: of one folder, of a remote, all")
    func management() async throws {
        let server = try await serve()
        let before = try await sandbox.bash("ferry cache; ferry cache list; ls -A ~/.cache 2>/dev/null | wc -l")
        #expect(before.output.contains("/home/.cache/ferry\n limit  4.0 GiB\n  kept  0 bytes\n"), "\(before)")
        #expect(before.lines.last == "0", "looking makes no folder: \(before)")

        #expect(try await sandbox.bash("ferry ls nc:d; ferry ls nc:d/e; ferry cat nc:d/a.txt nc:d/e/b.txt").code == 0)
        let info = try #require(try await sandbox.ferry("cache", "info", "--json").objects.first)
        #expect((info["bytes"] as? Int ?? 0) > 0 && info["limit"] as? Int == 4 << 30)
        let parts = try #require(info["parts"] as? [[String: Any]])
        let contents = try #require(parts.first { $0["kind"] as? String == "contents" })
        #expect(contents["count"] as? Int == 2 && contents["remote"] as? String == "nc", "\(info)")
        #expect(try await sandbox.ferry("cache").output.contains("contents    nc:\n"))

        let listed = try await sandbox.ferry("cache", "list", "nc:d/e", "--json").objects
        #expect(listed.allSatisfy { ($0["path"] as? String)?.hasPrefix("/d/e") == true }, "\(listed)")
        #expect(listed.contains { $0["path"] as? String == "/d/e/b.txt" && $0["kind"] as? String == "contents" })
        #expect(listed.contains { $0["path"] as? String == "/d/e" && $0["kind"] as? String == "listing" })
        let lines = try await sandbox.ferry("cache", "list").lines
        #expect(lines.contains { $0.contains("contents    nc:/d/a.txt") }, "\(lines)")

        server.forget()
        let cleared = try await sandbox.bash(
            "ferry cache clear nc:d/e; ferry cache list --json | jq -r 'select(.kind == \"contents\").path'"
        )
        #expect(cleared.output == "/d/a.txt\n", "\(cleared)")
        #expect(try await sandbox.bash("ferry cache clear nc: && ferry cache list").output == "")
        #expect(
            try await sandbox.bash("ferry ls nc:d > /dev/null; ferry cache clear --all; ferry cache list").output == ""
        )
        #expect(server.requests.count == 1, "only the listing was asked for")
        let local = try await sandbox.ferry("cache", "clear", "d")
        #expect(local.errors == "ferry: d: nothing is kept of what is no remote, name a remote\n")
        let nothing = try await sandbox.ferry("cache", "clear")
        #expect(nothing.code == 64, "\(nothing)")
        await server.stop()
    }

    @Test("that nothing could be cleared is told", arguments: ["--all", "nc:d"])
    func uncleared(what: String) async throws {
        let server = try await serve()
        let outcome = try await sandbox.bash(
            """
            ferry ls nc:d > /dev/null; rm ~/.cache/ferry/lock; mkdir ~/.cache/ferry/lock; ferry cache clear \(what)
            echo $?; rmdir ~/.cache/ferry/lock; ferry cache clear \(what); echo $?; ferry cache list
            """
        )
        #expect(outcome.output == "1\n0\n", "\(outcome)")
        #expect(outcome.errors.hasSuffix(".cache/ferry: what is kept there can't be removed, see whose folder it is\n"))
        await server.stop()
    }

    @Test("only its owner can read it, and it is where XDG_CACHE_HOME says")
    func place() async throws {
        let server = try await serve()
        let outcome = try await sandbox.bash(
            """
            umask 0; export XDG_CACHE_HOME="$PWD/kept"; ferry cat nc:d/a.txt; ferry cache | grep -c "$PWD/kept/ferry"
            find kept/ferry -perm /077 | wc -l; find kept/ferry -type f | head -1 | wc -l; ls -A ~/.cache 2>&1 | wc -l
            XDG_CACHE_HOME=relative ferry cache | grep -c "$HOME/.cache/ferry"
            """
        )
        #expect(outcome.output == "one\n1\n0\n1\n1\n1\n", "\(outcome)")
        await server.stop()
    }

    @Test("nothing is kept of a remote that wants none, nor with FERRY_CACHE=off, nor with a limit of 0")
    func off() async throws {
        let server = try await serve()
        let outcome = try await sandbox.bash(
            """
            FERRY_CACHE=off "$FERRY" ls nc:d; ferry cache list
            mkdir -p ~/.config/ferry; printf '[cache]\\nlimit = 0\\n' > ~/.config/ferry/config.toml
            ferry ls nc:d; ferry cache list; ferry cache | grep limit; rm ~/.config/ferry/config.toml
            sed -i 's/^\\[nc\\]$/[nc]\\ncache = false/' ~/.config/ferry/remotes.toml
            ferry ls nc:d; ferry cache list; ferry remote show nc | grep cache; ferry ls --offline nc:d
            """
        )
        let listing = "a.txt\ne\n"
        #expect(
            outcome.output == listing + listing + " limit  nothing is kept\n" + listing + "   cache  off\n",
            "\(outcome)"
        )
        #expect(outcome.errors == "ferry: nc:: nothing is kept of it, leave out --offline\n", "\(outcome)")
        await server.stop()
    }

    @Test("a remote is added as one that nothing is kept of, and stays it")
    func addedWithout() async throws {
        let server = try await NextcloudServer.start()
        let arguments = ["remote", "add", "nc", "--type", "nextcloud", "--url", "\(server.url)", "--user", "alice"]
        #expect(try await sandbox.ferry(arguments + ["--no-cache"], password: "secret").code == 0)
        async let login = sandbox.ferry("remote", "login", "nc")
        try await until("the login is asked for") {
            server.requests.contains { ($0.path ?? "").hasSuffix("/login/v2/poll") }
        }
        server.grantLogins()
        #expect(try await login.code == 0)
        let shown = try await sandbox.bash(
            "ferry remote rename nc b; ferry remote show b --json; ferry ls b:; ferry cache list"
        )
        #expect(shown.output.contains(#""cache":false"#) && shown.lines.count == 1, "\(shown)")
        await server.stop()
    }

    @Test("the limit is what config.toml says, and a mistake in it is told with its place")
    func limit() async throws {
        try sandbox.make("config", "[cache]\nlimit = \"1.5G\"\n")
        let good = try await sandbox.bash(
            "mkdir -p ~/.config/ferry; mv config ~/.config/ferry/config.toml; ferry cache --json"
        )
        #expect(try good.objects.first?["limit"] as? Int == 3 << 29, "\(good)")
        for (text, words) in [
            ("[cache\n", "config.toml:1: not valid TOML"), ("cache = 3\n", "'cache' is no table"),
            ("[cache]\nlimit = \"much\"\n", "the cache's limit is no number of bytes"),
            ("[cache]\nlimit = -1\n", "the cache's limit is no number of bytes"),
        ] {
            try sandbox.make("config", text)
            let bad = try await sandbox.bash("mv config ~/.config/ferry/config.toml; ferry cache")
            #expect(bad.code == 1 && bad.errors.contains(words), "\(bad)")
        }
    }

    @Test("two users of one server never see what is kept of the other")
    func users() async throws {
        try await withLoopbackServer { request in
            guard let field = request["Authorization"], field.hasPrefix("Basic "),
                let login = Data(base64Encoded: String(field.dropFirst(6))).map({ String(decoding: $0, as: UTF8.self) })
            else { return LoopbackAnswer(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=\"x\""]) }
            return Self.folder(of: String(login.prefix { $0 != ":" }))
        } perform: { server in
            let url = server.url.absoluteString + "dav/"
            for user in ["alice", "bob"] {
                let outcome = try await sandbox.ferry(
                    ["remote", "add", user, "--type", "webdav", "--url", url, "--user", user, "--auth", "basic"],
                    password: "pw"
                )
                try #require(outcome.code == 0, "\(outcome)")
            }
            #expect(try await sandbox.ferry("ls", "alice:").output == "of-alice\n")
            let bob = try await sandbox.ferry("ls", "--offline", "bob:")
            #expect(bob.code == 1 && bob.output.isEmpty, "\(bob)")
            #expect(try await sandbox.ferry("ls", "bob:").output == "of-bob\n")
            #expect(
                try await sandbox.bash("ferry ls --offline alice:; ferry ls --offline bob:").output
                    == "of-alice\nof-bob\n"
            )
            // With the remote goes what is kept of it, and only that.
            #expect(
                try await sandbox.bash("ferry remote rm alice; ferry cache list --json | jq -r .user | sort -u").output
                    == "bob\n"
            )
        }
    }

    @Test("what is kept of a remote without a user goes with its name, which another person may get")
    func nameless() async throws {
        try await withLoopbackServer { _ in
            Self.folder(of: "somebody")
        } perform: { server in
            let url = server.url.absoluteString + "dav/"
            func add(_ name: String, _ more: String = "") async throws {
                let outcome = try await sandbox.bash(
                    "ferry remote add \(more) \(name) --type webdav --url \(url) --no-password"
                )
                try #require(outcome.code == 0, "\(outcome)")
            }
            func offline(_ name: String) async throws -> String {
                try await sandbox.ferry("ls", "--offline", name).output
            }
            try await add("one")
            try await add("other")
            #expect(try await sandbox.ferry("ls", "one:").output == "of-somebody\n")
            #expect(try await offline("one:") == "of-somebody\n")
            #expect(try await offline("other:") == "")
            #expect(try await sandbox.ferry("remote", "rename", "one", "two").code == 0)
            try await add("one")
            #expect(try await offline("one:") == "")
            #expect(try await sandbox.ferry("ls", "one:").output == "of-somebody\n")
            try await add("one", "-f")
            #expect(try await offline("one:") == "")
            #expect(try await sandbox.bash("ferry cache list").output == "")
        }
    }

    private static func folder(of user: String) -> LoopbackAnswer {
        func response(_ path: String, _ properties: String) -> String {
            """
            <response><href>\(path)</href><propstat><prop>\(properties)</prop><status>HTTP/1.1 200 OK</status>\
            </propstat></response>
            """
        }
        let items =
            response("/dav/", "<resourcetype><collection/></resourcetype>")
            + response("/dav/of-\(user)", "<resourcetype/><getcontentlength>5</getcontentlength>")
        return LoopbackAnswer(
            .init(code: 207),
            fields: [.contentType: "application/xml"],
            text: #"<?xml version="1.0"?><multistatus xmlns="DAV:">\#(items)</multistatus>"#
        )
    }

    @Test("commands on this machine's files never touch it")
    func localOnly() async throws {
        let outcome = try await sandbox.bash(
            """
            mkdir d; echo a > d/a; printf '[cache' > bad; mkdir -p ~/.config/ferry; mv bad ~/.config/ferry/config.toml
            ferry ls d; ferry cat d/a; ferry cp d/a b; ferry rm b; ferry du d > /dev/null; ferry ls memory:
            ls -A ~/.cache 2>/dev/null | wc -l
            """
        )
        #expect(outcome.output == "a\na\n0\n" && outcome.errors.isEmpty, "\(outcome)")
    }
}
