import FerryTestServers
import Foundation
import Testing

@Suite("The command on real WebDAV servers")
struct ServedTests {
    /// A tree with all that makes trouble.
    private static let tree = """
        mkdir -p src/sub/empty "src/ä b%20#" ; echo hi > src/a; echo deep > "src/ä b%20#/x%y"; : > src/none
        head -c 300000 /dev/urandom > src/sub/big; touch -d 2020-01-02T03:04:05Z src/a
        """

    @Test(
        "a tree goes there and comes back as it was, empty folders and odd names too",
        arguments: RealServerKind.allCases
    )
    func roundTrip(_ kind: RealServerKind) async throws {
        let served = try await ServedSandbox(kind)
        let outcome = try await served.sandbox.bash(
            Self.tree + "; ferry cp -r src w: && ferry cp -r w:src back && diff -r src back && echo same"
        )
        // None of them keeps dates; that is said once.
        #expect(outcome.errors == "ferry: w:src: note: dates of 4 items are not kept there\n")
        #expect(outcome.output == "same\n")
        #expect(
            try served.place.names().filter { !$0.hasPrefix("src/sub/.") } == [
                "src", "src/a", "src/none", "src/sub", "src/sub/big", "src/sub/empty", "src/ä b%20#",
                "src/ä b%20#/x%y",
            ]
        )
        let files = try await served.sandbox.bash("cd src; find . -type f | wc -l; cd ../back; find . -type f | wc -l")
        #expect(files.lines == ["4", "4"])
    }

    @Test("every subcommand works there", arguments: RealServerKind.allCases)
    func subcommands(_ kind: RealServerKind) async throws {
        let served = try await ServedSandbox(kind)
        let sandbox = served.sandbox
        _ = try await sandbox.bash(Self.tree + "; ferry cp -r src w:")
        #expect(try await sandbox.ferry("ls", "w:src").output == "a\nä b%20#\nnone\nsub\n")
        #expect(try await sandbox.ferry("tree", "w:").output.contains("\n    │   └── x%y\n"))
        #expect(try await sandbox.ferry("cat", "w:src/ä b%20#/x%y").output == "deep\n")
        #expect(try await sandbox.ferry("cat", "--offset", "1", "--length", "2", "w:src/a").output == "i\n")
        #expect(try await sandbox.ferry("find", "w:", "name = 'big'").output == "w:src/sub/big\n")
        #expect(try await sandbox.ferry("stat", "--json", "w:src/a").objects.first?["size"] as? Int == 3)
        #expect(try await sandbox.ferry("du", "-s", "w:src").code == 0)
        #expect(try await sandbox.ferry("df", "w:").code == 0)
        let changed = try await sandbox.bash(
            """
            set -e
            echo new | ferry write w:n; ferry mv w:n w:m; ferry cp w:m w:src/k; ferry cp -r w:src w:copy
            ferry rm w:m; ferry rm -r w:src; ferry mkdir -p w:p/q/r; ferry mv w:copy/a w:p/q
            """
        )
        #expect(changed.problems == [] && changed.code == 0, "\(changed)")
        #expect(served.place.read("copy/k") == Data("new\n".utf8))
        #expect(
            // Removed items are kept out of sight.
            try served.place.names().filter { !$0.contains("/.") && !$0.hasPrefix(".") } == [
                "copy", "copy/k", "copy/none", "copy/sub", "copy/sub/big", "copy/sub/empty", "copy/ä b%20#",
                "copy/ä b%20#/x%y", "p", "p/q", "p/q/a", "p/q/r",
            ]
        )
    }

    @Test("what a killed command has half written there goes with the next one that looks into the folder")
    func leftBehind() async throws {
        // This one writes into the file itself, so that another name is needed.
        let served = try await ServedSandbox(.wsgidav)
        try served.sandbox.make("src/a", "a")
        async let writing = served.sandbox.bash(
            """
            (head -c 3000000 /dev/zero; while head -c 100000 /dev/zero; do sleep 1; done) 2>/dev/null |
                "$FERRY" write w:x & echo $! > pid; wait $!
            """
        )
        try await until("something of it is there") { try served.place.names().contains { $0.hasSuffix(".tmp") } }
        _ = try await served.sandbox.bash("ferry sync src w: --max-delete 100%")
        #expect(try served.place.names().contains { $0.hasSuffix(".tmp") }, "it is still being written")
        _ = try await served.sandbox.bash("kill -9 $(cat pid)")
        _ = try await writing
        #expect(try await served.sandbox.ferry("sync", "src", "w:", "--max-delete", "100%").code == 0)
        #expect(try served.place.names().filter { !$0.hasPrefix(".ferry-undo") } == ["a"])
    }

    @Test("what a server was found to do when it was tried out is kept with the remote")
    func tried() async throws {
        let served = try await ServedSandbox(.apache)
        #expect(try await served.sandbox.ferry("remote", "test", "w").code == 0)
        let remote = try #require(try await served.sandbox.ferry("remote", "show", "w", "--json").objects.first)
        #expect((remote["options"] as? [String: String])?["tried"] == "dates=impossible")
        #expect(try served.place.names().isEmpty)
    }

    @Test("nothing is replaced there without --overwrite", arguments: RealServerKind.allCases)
    func overwrite(_ kind: RealServerKind) async throws {
        let served = try await ServedSandbox(kind)
        let sandbox = served.sandbox
        try sandbox.make("new", "new")
        _ = try await sandbox.bash("echo -n old | ferry write w:a; echo -n old | ferry write w:b")
        for line in ["cp new w:a", "mv new w:a", "cp w:b w:a", "mv w:b w:a", "write w:a"] {
            let refused = try await sandbox.bash("echo x | ferry \(line)")
            #expect(refused.code == 1, "\(line): \(refused)")
            #expect(refused.errors.hasPrefix("ferry: w:a: already exists, "), "\(line): \(refused)")
        }
        #expect(served.place.read("a") == Data("old".utf8))
        #expect(try await sandbox.ferry("cp", "-f", "new", "w:a").code == 0)
        #expect(served.place.read("a") == Data("new".utf8))
        #expect(try served.place.names().filter { !$0.hasPrefix(".") } == ["a", "b"])
    }

    @Test("what goes wrong is one line that says what to do, and exit code 1")
    func errors() async throws {
        let served = try await ServedSandbox(.rclone)
        let sandbox = served.sandbox
        #expect(
            try await sandbox.ferry("cat", "w:gone").errors
                == "ferry: w:gone: no such file or folder, check the name, or list the folder it should be in\n"
        )
        #expect(try await sandbox.ferry("ls", "w:gone/").code == 1)
        #expect(try await sandbox.ferry("rm", "-rf", "w:").errors.hasPrefix("ferry: w:: is never removed as a whole"))
        let address = served.address.replacing(served.server.user + "@", with: "nobody@")
        for line in ["ls \(address)", "cp -r \(address)/x .", "stat \(address)/x", "mkdir \(address)/x"] {
            let arguments = line.split(separator: " ").map(String.init)
            let outcome = try await sandbox.ferry(arguments, password: "wr0ng")
            #expect(outcome.code == 1)
            #expect(outcome.errors.hasPrefix("ferry: \(address)") && outcome.errors.contains("login"), "\(outcome)")
            #expect(outcome.errors.split(separator: "\n").count == 1 && !outcome.errors.contains("wr0ng"))
        }
        for address in ["dav://127.0.0.1:1/x", "davs://127.0.0.1:1/x", "dav://ferry.invalid/x"] {
            let outcome = try await sandbox.ferry("ls", address)
            #expect(outcome.errors.hasPrefix("ferry: \(address): ") && outcome.code == 1, "\(outcome)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(try sandbox.names() == [])
    }

    @Test("a URL works like a remote, with a password of its own: FERRY_PASSWORD, which counts before what is stored")
    func address() async throws {
        let served = try await ServedSandbox(.apache)
        let sandbox = served.sandbox
        try sandbox.make("50% a", "text")
        let address = served.address
        let refused = try await sandbox.bash("setsid -w $FERRY ls \(address)")
        #expect(refused.errors.contains("is not known, give it in FERRY_PASSWORD"), "\(refused)")
        let password = served.server.password
        #expect(try await sandbox.ferry(["cp", "50% a", "\(address)/"], password: password).code == 0)
        #expect(try await sandbox.ferry(["ls", address], password: password).output == "50% a\n")
        let found = try await sandbox.ferry(["find", address, "TRUEPREDICATE"], password: password)
        #expect(found.output == "\(address)/50%25 a\n")
        #expect(try await sandbox.ferry(["cat", "\(address)/50%25%20a"], password: password).output == "text")
        let moved = try await sandbox.ferry(["mv", "\(address)/50% a", "\(address)/b"], password: password)
        #expect(moved.code == 0)
        #expect(try await sandbox.ferry("ls", "w:").output == "b\n")
        #expect(try await sandbox.ferry(["ls", "w:"], password: "wr0ng").code == 1)
        // A correct password for this run doesn't repair a stored one, and a wrong one doesn't spoil it.
        let broken = try await sandbox.bash("ferry remote login w --password-stdin && ferry ls w:", input: "wr0ng\n")
        #expect(broken.code == 1)
        #expect(try await sandbox.ferry(["ls", "w:"], password: password).output == "b\n")
        #expect(try await sandbox.ferry("ls", "w:").code == 1)
    }

    @Test("a server with Digest over TLS and a certificate of its own", arguments: [RealServerKind.apache])
    func digestOverTLS(_ kind: RealServerKind) async throws {
        let server = try await RealServer.shared(kind)
        let endpoint = try #require(server.endpoint(.digest, isSecure: true))
        let place = try server.makePlace(endpoint)
        defer { place.remove() }
        let sandbox = try Sandbox()
        let line = ["remote", "add", "w", "--type", "webdav", "--url", place.url.absoluteString, "--user", server.user]
        _ = try await sandbox.ferry(line, password: server.password)
        let untrusted = try await sandbox.ferry("ls", "w:")
        #expect(untrusted.code == 1 && untrusted.errors.contains("certificate"), "\(untrusted)")
        let more = ["--force", "--auth", "digest", "--ca-file", server.certificateAuthorityFile]
        _ = try await sandbox.ferry(line + more, password: server.password)
        let outcome = try await sandbox.bash("echo -n hi | ferry write w:a && FERRY_LOG=trace ferry cat w:a")
        #expect(outcome.output == "hi" && outcome.code == 0, "\(outcome)")
        #expect(!outcome.errors.contains(server.password))
    }

    @Test("test says what works, and the exit code whether it does")
    func remoteTest() async throws {
        let served = try await ServedSandbox(.apache)
        let sandbox = served.sandbox
        let outcome = try await sandbox.ferry("remote", "test", "w")
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("✓ w: reachable, logged in, 0 items at the top, in "))
        #expect(outcome.output.contains("✓ server: apache") && outcome.output.contains("– public links\n"))
        let object = try #require(try await sandbox.ferry("remote", "test", "w:", "--json").objects.first)
        #expect((object["abilities"] as? [String])?.contains("locks") == true)
        _ = try await sandbox.bash("ferry remote login w --password-stdin", input: "wr0ng\n")
        let refused = try await sandbox.ferry("remote", "test", "w")
        #expect(refused.code == 1 && refused.output == "")
        #expect(refused.errors.hasPrefix("ferry: w:: ") && !refused.errors.contains("wr0ng"), "\(refused)")
    }

    @Test("test says that nothing can be written, where that is so", arguments: [RealServerKind.apache, .nginx])
    func readOnlyRemote(_ kind: RealServerKind) async throws {
        let served = try await ServedSandbox(kind)
        #expect(try await served.sandbox.ferry("remote", "test", "w").output.contains("✓ write\n"))
        // The server may look into it, and no more.
        let top = served.place.path("")
        #expect(chown(top, getuid(), getgid()) == 0 && chmod(top, 0o755) == 0)
        let outcome = try await served.sandbox.ferry("remote", "test", "w")
        #expect(outcome.code == 0 && outcome.output.contains("– write\n"), "\(outcome)")
    }

    @Test("a URL that only looks like a Nextcloud's is one of any server")
    func plainAddress() async throws {
        let served = try await ServedSandbox(.apache)
        try served.place.makeFolder("remote.php/webdav")
        try served.place.write(Data("one".utf8), to: "remote.php/webdav/a")
        let place = served.place.url.absoluteString.replacing("http://", with: "dav://\(served.server.user)@")
        let url = (place.hasSuffix("/") ? place : place + "/") + "remote.php/webdav"
        let sandbox = served.sandbox
        let outcome = try await sandbox.ferry(["cat", url + "/a"], password: served.server.password)
        #expect(outcome.output == "one" && outcome.code == 0, "\(outcome)")
        let listed = try await sandbox.ferry(["ls", url], password: served.server.password)
        #expect(listed.lines == ["a"], "\(listed)")
    }

    @Test("what a storage lacks is said in one line")
    func lacking() async throws {
        let served = try await ServedSandbox(.rclone)
        for line in ["link create w:a", "link list w:", "trash list w:", "versions list w:a", "theme w"] {
            let outcome = try await served.sandbox.bash("ferry \(line)")
            #expect(outcome.code == 1)
            #expect(outcome.errors.contains(": this storage has no "), "\(outcome)")
            #expect(outcome.errors.hasSuffix(", see what it has with 'ferry remote test'\n"))
        }
    }

    @Test("the tokens of several locks let a locked item be moved into a locked folder, and removed from it")
    func severalLocks() async throws {
        let served = try await ServedSandbox(.apache)
        let outcome = try await served.sandbox.bash(
            """
            echo -n one | ferry write w:a; ferry mkdir w:d
            item=$(ferry lock take w:a --timeout 1h); folder=$(ferry lock take w:d --timeout 1h)
            ferry mv w:a w:d/b 2>/dev/null; echo "none: $?"
            ferry mv w:a w:d/b --lock-token "$item" 2>/dev/null; echo "the item's: $?"
            ferry mv w:a w:d/b --lock-token "$folder" 2>/dev/null; echo "the folder's: $?"
            ferry mv w:a w:d/b --lock-token "$item" --lock-token "$folder"; echo "both: $?"
            ferry rm w:d/b 2>/dev/null; echo "none: $?"
            ferry rm w:d/b --lock-token "$folder"; echo "the folder's: $?"
            ferry rm w:d/c --lock-token opaquelocktoken:gone; echo "another: $?"
            """
        )
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "none: 1", "the item's: 1", "the folder's: 1", "both: 0", "none: 1", "the folder's: 0", "another: 1",
            ],
            "\(outcome)"
        )
    }

    @Test(
        "a token of a lock that is no more is told as that",
        arguments: ["unlock w:a TOKEN", "lock refresh w:a TOKEN", "rm --lock-token TOKEN w:a"]
    )
    func lapsedLock(_ line: String) async throws {
        let served = try await ServedSandbox(.apache)
        let taken = try await served.sandbox.bash(
            "echo one | ferry write w:a; ferry lock take w:a | tee token; ferry unlock w:a $(cat token)"
        )
        let token = try #require(taken.lines.first)
        let outcome = try await served.sandbox.bash("ferry \(line.replacing("TOKEN", with: token))")
        let words = "is not locked by \(token), or not any more, see 'ferry lock list'"
        #expect(outcome.errors == "ferry: w:a: \(words)\n" && outcome.code == 1, "\(outcome)")
        #expect(try served.place.names().contains("a"))
    }

    @Test("a lock keeps others out until it is released")
    func locks() async throws {
        let served = try await ServedSandbox(.apache)
        let sandbox = served.sandbox
        let outcome = try await sandbox.bash(
            """
            echo -n one | ferry write w:a
            token=$(ferry lock take w:a --timeout 1h --owner Alice)
            ferry lock list w:a | grep -c -- "$token"
            echo -n two | ferry write -f w:a; echo "refused: $?"
            echo -n three | ferry write -f w:a --lock-token "$token"; echo "held: $?"
            ferry cat w:a; echo
            ferry lock refresh w:a "$token" | grep -c until
            ferry unlock w:a "$token"; echo "released: $?"
            echo -n four | ferry write -f w:a; echo "free: $?"
            ferry lock list w:a; ferry cat w:a
            """
        )
        #expect(
            outcome.output == """
                1
                refused: 1
                held: 0
                three
                1
                released: 0
                free: 0
                four
                """,
            "\(outcome)"
        )
        #expect(outcome.problems.count == 1, "\(outcome.errors)")
    }

    @Test(
        "a copy that is interrupted leaves no part of a file under its name, there or here",
        arguments: ["INT", "TERM"]
    )
    func interrupted(_ signal: String) async throws {
        let served = try await ServedSandbox(.apache)
        let outcome = try await served.sandbox.bash(
            """
            set -m; mkdir d; for i in $(seq 400); do head -c 100000 /dev/zero > d/$i; done
            "$FERRY" cp -r d w:up & copy=$!; sleep 0.4; kill -\(signal) $copy 2>/dev/null; wait $copy; echo $?
            ferry cp -r d w:all
            "$FERRY" cp -r w:all down & copy=$!; sleep 0.4; kill -\(signal) $copy 2>/dev/null; wait $copy; echo $?
            find down -type f ! -size 100000c; find down -name '.ferry*'
            """
        )
        let codes = outcome.lines
        #expect(codes.count == 2 && codes.allSatisfy { ["0", "130", "143"].contains($0) }, "\(outcome)")
        for name in try served.place.names() where name.hasPrefix("up/") {
            #expect(served.place.read(name)?.count == 100_000 && !name.contains(".ferry"), "\(name)")
        }
    }
}
