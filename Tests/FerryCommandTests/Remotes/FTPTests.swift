import FerryTestServers
import Foundation
import Testing

@Suite("The command on real FTP servers")
struct FTPTests {
    private static let ways: [FTPServerWay] = [
        .init(.vsftpd, .implicit), .init(.pureftpd, .explicit), .init(.proftpd, .explicit),
    ]

    /// A tree with all that makes trouble.
    private static let tree = """
        mkdir -p src/sub/empty "src/ä b%20#" ; echo hi > src/a; echo deep > "src/ä b%20#/x%y"; : > src/none
        head -c 300000 /dev/urandom > src/sub/big; touch -d 2020-01-02T03:04:05Z src/a
        """

    @Test("a tree goes there and comes back as it was, empty folders, odd names and dates too", arguments: ways)
    func roundTrip(_ way: FTPServerWay) async throws {
        let served = try await FTPSandbox(way)
        let outcome = try await served.sandbox.bash(
            Self.tree + "; ferry cp -r src f: && ferry cp -r f:src back && diff -r src back && echo same"
        )
        #expect(outcome.output == "same\n", "\(outcome)")
        #expect(
            try served.place.names().filter { !$0.hasPrefix(".ferry-undo") } == [
                "src", "src/a", "src/none", "src/sub", "src/sub/big", "src/sub/empty", "src/ä b%20#",
                "src/ä b%20#/x%y",
            ]
        )
        let date = try FileManager.default.attributesOfItem(atPath: served.place.path + "/src/a")[.modificationDate]
        #expect(date as? Date == Date(timeIntervalSince1970: 1_577_934_245))
    }

    @Test("a folder is listed a few times for many files, also where undoing is prepared")
    func fewListings() async throws {
        let served = try await FTPSandbox(.init(.vsftpd, .implicit))
        // Without `MLST` one item is asked for by a listing of its folder, which begins with `CWD`.
        let outcome = try await served.sandbox.bash(
            """
            mkdir d; for n in {1..40}; do echo $n > d/$n; done
            start=$(date +%s); FERRY_LOG=trace ferry cp -r d f: 2>&1 | grep -c 'verb=CWD'; echo $(($(date +%s) - start))
            ferry undo --any; ferry ls f:
            """
        )
        let numbers = outcome.lines.prefix(2).compactMap { Int($0) }
        try #require(numbers.count == 2, "\(outcome)")
        // What was just written is remembered for ten seconds; eight files are under way at most.
        #expect(numbers[0] <= 8 + 8 * (numbers[1] / 10), "\(outcome)")
        #expect(outcome.lines.dropFirst(2) == ["undone: cp -r d f:"], "\(outcome)")
    }

    @Test("every subcommand works there", arguments: ways)
    func subcommands(_ way: FTPServerWay) async throws {
        let served = try await FTPSandbox(way)
        let sandbox = served.sandbox
        _ = try await sandbox.bash(Self.tree + "; ferry cp -r src f:")
        #expect(try await sandbox.ferry("ls", "f:src").output == "a\nä b%20#\nnone\nsub\n")
        #expect(try await sandbox.ferry("tree", "f:").output.contains("\n    │   └── x%y\n"))
        #expect(try await sandbox.ferry("cat", "f:src/ä b%20#/x%y").output == "deep\n")
        #expect(try await sandbox.ferry("cat", "--offset", "1", "--length", "2", "f:src/a").output == "i\n")
        #expect(try await sandbox.ferry("find", "f:", "name = 'big'").output == "f:src/sub/big\n")
        #expect(try await sandbox.ferry("stat", "--json", "f:src/a").objects.first?["size"] as? Int == 3)
        #expect(try await sandbox.ferry("du", "-s", "f:src").code == 0)
        #expect(try await sandbox.ferry("df", "f:").code == 0)
        #expect(try await sandbox.ferry("check", "src", "f:src").code == 0)
        #expect(try await sandbox.ferry("sync", "src", "f:src").code == 0)
        let changed = try await sandbox.bash(
            """
            set -e
            echo new | ferry write f:n; ferry mv f:n f:m; ferry cp f:m f:src/k; ferry cp -r f:src f:copy
            ferry rm f:m; ferry rm -r f:src; ferry mkdir -p f:p/q/r; ferry mv f:copy/a f:p/q
            """
        )
        #expect(changed.code == 0, "\(changed)")
        #expect(served.place.read("copy/k") == Data("new\n".utf8))
        #expect(
            try served.place.names().filter { !$0.contains("/.") && !$0.hasPrefix(".") } == [
                "copy", "copy/k", "copy/none", "copy/sub", "copy/sub/big", "copy/sub/empty", "copy/ä b%20#",
                "copy/ä b%20#/x%y", "p", "p/q", "p/q/a", "p/q/r",
            ]
        )
    }

    @Test("checksums are the server's, where it works them out: an edit that keeps size and date is found")
    func checksums() async throws {
        let served = try await FTPSandbox(.init(.proftpd, .explicit))
        let sandbox = served.sandbox
        _ = try await sandbox.bash("mkdir d; echo one > d/a; echo two > d/b; ferry cp -r d f:")
        let same = try await sandbox.ferry("check", "--checksum", "d", "f:d")
        #expect(same.code == 0 && same.output.hasPrefix("2 files the same"), "\(same)")
        _ = try await sandbox.bash("p=\(served.place.path)/d/b; touch -r $p ref; printf 'TWO\\n' > $p; touch -r ref $p")
        #expect(try await sandbox.ferry("check", "d", "f:d").code == 0)
        let changed = try await sandbox.ferry("check", "--checksum", "d", "f:d")
        #expect(changed.code == 1 && changed.output.contains("differs  b  (other checksum)"), "\(changed)")
        let synced = try await sandbox.ferry("sync", "--checksum", "d", "f:d")
        #expect(synced.code == 0 && synced.output.hasPrefix("1 copied (4 bytes)"), "\(synced)")
        #expect(served.place.read("d/b") == Data("two\n".utf8))
    }

    @Test("a URL is enough, and 'remote test' says what the server can do")
    func addresses() async throws {
        let served = try await FTPSandbox(.init(.vsftpd, .plain))
        let sandbox = served.sandbox
        try served.place.write(Data("x".utf8), to: "a b")
        let url = served.place.url.absoluteString.replacing("ftp://", with: "ftp://\(served.server.user)@")
        let listed = try await sandbox.ferry(["ls", url], password: served.server.password)
        #expect(listed.output == "a b\n", "\(listed)")
        let tested = try await sandbox.ferry("remote", "test", "f")
        #expect(tested.code == 0, "\(tested)")
        #expect(tested.output.contains("✓ read parts of files\n"))
        #expect(tested.output.contains("– create without replacing\n"))
        let wrong = try await sandbox.ferry(["ls", url], password: "wrong")
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("the server refused the login"), "\(wrong)")
        #expect(!wrong.errors.contains("wrong password"))
    }

    @Test("options that make no sense are refused, and those that say what holds anyway are kept")
    func options() async throws {
        let sandbox = try Sandbox()
        func add(_ option: String) async throws -> Sandbox.Outcome {
            try await sandbox.ferry(
                "remote",
                "add",
                "x",
                "--force",
                "--type",
                "ftp",
                "--url",
                "ftp://127.0.0.1/",
                "--option",
                option
            )
        }
        for option in [
            "tls=explicit", "tls=none", "encoding=iso-8859-1", "active=true", "connections=8", "disable-mlsd=false",
            "disable-epsv=yes", "list-hidden=true", "tls-max=1.3", "proxy=socks5h://127.0.0.1:1080",
        ] {
            #expect(try await add(option).code == 0, "\(option)")
            let shown = try #require(try await sandbox.ferry("remote", "show", "x", "--json").objects.first)
            let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
            #expect((shown["options"] as? [String: String])?[parts[0]] != nil, "\(option)")
        }
        for option in ["tls=maybe", "encoding=klingon", "connections=0", "active=perhaps", "colour=red"] {
            #expect(try await add(option).code == 1, "\(option)")
        }
    }

    @Test("rclone's remotes are taken over with their options and passwords")
    func imports() async throws {
        let sandbox = try Sandbox()
        try sandbox.make(
            "rclone.conf",
            """
            [site]
            type = ftp
            host = ftp.example.org
            user = bob
            pass = yt4UFYeAWm8fEsWzGFOMBTKa7hlUT40
            explicit_tls = true
            concurrency = 3
            disable_mlsd = true
            [old]
            type = ftp
            host = old.example.org
            port = 2121
            no_check_certificate = true
            tls = true
            [none]
            type = ftp

            """
        )
        let outcome = try await sandbox.ferry("remote", "import", "rclone.conf")
        #expect(outcome.errors.contains("ferry: none: it has no valid host, it was skipped\n"), "\(outcome)")
        #expect(outcome.errors.contains("'no_check_certificate' was left out"))
        let site = try #require(try await sandbox.ferry("remote", "show", "site", "--json").objects.first)
        #expect(
            site["options"] as? [String: String]
                == ["tls": "explicit", "connections": "3", "disable-mlsd": "true"]
        )
        #expect(try await sandbox.ferry("remote", "list").output.contains("ftps://old.example.org:2121/"))
    }

    @Test("'ferry version' loads no libcurl, and FTP does")
    func lazyLibrary() async throws {
        let served = try await FTPSandbox(.init(.vsftpd, .plain))
        // The dynamic linker says which libraries it opens, also those that a program asks for later.
        let outcome = try await served.sandbox.bash(
            """
            LD_DEBUG=files "$FERRY" version 2>&1 >/dev/null | grep -c 'libcurl.*generating link map' || true
            LD_DEBUG=files "$FERRY" ls f: 2>&1 >/dev/null | grep -c 'libcurl.*generating link map' || true
            """
        )
        #expect(outcome.lines.first == "0", "\(outcome)")
        #expect(outcome.lines.last.flatMap { Int($0) } ?? 0 > 0, "\(outcome)")
    }
}
