import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryCommand

@Suite("The command over SFTP")
struct SFTPTests {
    /// A tree with all that makes trouble.
    private static let tree = """
        mkdir -p src/sub/empty "src/ä b%20#" ; echo hi > src/a; echo deep > "src/ä b%20#/x%y"; : > src/none
        head -c 300000 /dev/urandom > src/sub/big; touch -d 2020-01-02T03:04:05Z src/a
        """

    @Test("a tree goes there and comes back as it was, dates, empty folders and odd names too")
    func roundTrip() async throws {
        let served = try await SFTPSandbox()
        let outcome = try await served.sandbox.bash(
            Self.tree + "; ferry cp -r src s: && ferry cp -r s:src back && diff -r src back && stat -c %Y back/a"
        )
        #expect(outcome.errors == "")
        #expect(outcome.output == "1577934245\n")
        #expect(served.place.read("src/ä b%20#/x%y") == Data("deep\n".utf8))
        #expect(try served.place.names().filter { $0.contains(".ferry") } == [])
    }

    @Test("every subcommand works there")
    func subcommands() async throws {
        let served = try await SFTPSandbox()
        let sandbox = served.sandbox
        _ = try await sandbox.bash(Self.tree + "; ferry cp -r src s:")
        #expect(try await sandbox.ferry("ls", "s:src").output == "a\nä b%20#\nnone\nsub\n")
        #expect(try await sandbox.ferry("tree", "s:").output.contains("\n    │   └── x%y\n"))
        #expect(try await sandbox.ferry("cat", "s:src/ä b%20#/x%y").output == "deep\n")
        #expect(try await sandbox.ferry("cat", "--offset", "1", "--length", "2", "s:src/a").output == "i\n")
        #expect(try await sandbox.ferry("find", "s:", "name = 'big'").output == "s:src/sub/big\n")
        #expect(try await sandbox.ferry("stat", "--json", "s:src/a").objects.first?["size"] as? Int == 3)
        #expect(try await sandbox.ferry("du", "-s", "s:src").code == 0)
        #expect(try await sandbox.ferry("df", "s:").code == 0)
        let changed = try await sandbox.bash(
            """
            set -e
            echo new | ferry write s:n; ferry mv s:n s:m; ferry cp s:m s:src/k; ferry cp -r s:src s:copy
            ferry rm s:m; ferry rm -r s:src; ferry mkdir -p s:p/q/r; ferry mv s:copy/a s:p/q
            ferry sync s:copy mirror; ferry check s:copy mirror
            """
        )
        #expect(changed.code == 0, "\(changed)")
        #expect(served.place.read("copy/k") == Data("new\n".utf8))
        #expect(served.place.read("p/q/a") == Data("hi\n".utf8))
    }

    @Test("checksums are the server's, where a shell answers: an edit that keeps size and date is found")
    func checksums() async throws {
        let served = try await SFTPSandbox(SSHServer.Options(isConfined: false))
        let sandbox = served.sandbox
        _ = try await sandbox.bash("mkdir d; echo one > d/a; echo two > d/b; ferry cp -r d s:")
        let same = try await sandbox.ferry("check", "--checksum", "d", "s:d")
        #expect(same.code == 0 && same.output.hasPrefix("2 files the same"), "\(same)")
        _ = try await sandbox.bash("p=\(served.place.path)/d/b; touch -r $p ref; printf 'TWO\\n' > $p; touch -r ref $p")
        #expect(try await sandbox.ferry("check", "d", "s:d").code == 0)
        let changed = try await sandbox.ferry("check", "--checksum", "d", "s:d")
        #expect(changed.code == 1 && changed.output.contains("differs  b  (other checksum)"), "\(changed)")
        let synced = try await sandbox.ferry("sync", "--checksum", "d", "s:d")
        #expect(synced.code == 0 && synced.output.hasPrefix("1 copied (4 bytes)"), "\(synced)")
        #expect(served.place.read("d/b") == Data("two\n".utf8))
    }

    @Test("--inplace sends the blocks that differ, into the same file, and undo brings the old content back")
    func inPlace() async throws {
        let served = try await SFTPSandbox(SSHServer.Options(isConfined: false))
        let sandbox = served.sandbox
        let outcome = try await sandbox.bash(
            """
            set -e
            head -c 5000000 /dev/urandom >big; cp big old; ferry cp big s:
            there=\(served.place.path)/big; before=$(stat -c %i $there)
            printf changed | dd of=big bs=1 seek=2000000 conv=notrunc status=none; echo more >>big
            ferry cp -f --inplace big s:; cmp big $there; [ $(stat -c %i $there) = $before ]; echo same
            ferry undo --any; cmp old $there; echo undone
            ferry cp -r s: d; cp big d/big; ferry sync --inplace d s:; cmp big $there
            """
        )
        #expect(outcome.code == 0 && outcome.output.contains("same\n"), "\(outcome)")
        #expect(outcome.output.contains("undone\n"))
        let both = try await sandbox.ferry("cp", "--inplace", "--update", "big", "s:")
        #expect(both.code == 64 && both.errors.contains("--inplace and --update"), "\(both)")
    }

    @Test("'remote test' says that it works, and what it can do")
    func remoteTest() async throws {
        let served = try await SFTPSandbox()
        let outcome = try await served.sandbox.ferry("remote", "test", "s", "--json")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(try outcome.objects.first?["works"] as? Bool == true)
    }

    @Test("a URL leads to a server without a remote")
    func address() async throws {
        let served = try await SFTPSandbox()
        // ssh finds its configuration in the person's own home, which a test must leave alone: here the program is a
        // remote's, so a URL that it can't reach must say so.
        let outcome = try await served.sandbox.ferry("ls", "sftp://ferry@127.0.0.1:1/nowhere")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("127.0.0.1:1 can't be reached"), "\(outcome.errors)")
    }

    @Test("what scp calls a place is told as a URL")
    func hint() async throws {
        let sandbox = try Sandbox()
        for (text, url) in [
            ("bob@nas:docs", "sftp://bob@nas/~/docs"), ("bob@nas:/srv", "sftp://bob@nas/srv"),
            ("bob@nas:~/docs", "sftp://bob@nas/~/docs"),
        ] {
            let outcome = try await sandbox.ferry("ls", text)
            #expect(outcome.errors.contains("write \(url)"), "\(outcome.errors)")
        }
    }

    @Test("a password is asked for by the server alone, and stored with the login")
    func password() async throws {
        let server = try await SSHServer.shared()
        try #require(server.takesPasswords, "passwords take root")
        let (sandbox, place) = (try Sandbox(), try server.makePlace())
        defer { place.remove() }
        let configuration = try await server.clientConfiguration(.password)
        let added = try await sandbox.ferry(
            "remote",
            "add",
            "p",
            "--type",
            "sftp",
            "--url",
            place.url().absoluteString,
            "--option",
            "ssh-config=\(configuration)"
        )
        #expect(added.code == 0, "\(added)")
        let refused = try await sandbox.ferry("ls", "p:")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("password"), "\(refused.errors)")
        #expect(try await sandbox.ferry(["ls", "p:"], password: server.password).code == 0)
        let login = try await sandbox.ferry("remote", "login", "p", "--password-stdin", input: server.password + "\n")
        #expect(login.code == 0, "\(login)")
        #expect(try await sandbox.ferry("ls", "p:").code == 0)
        let file = try String(contentsOfFile: sandbox.remotesFile, encoding: .utf8)
        #expect(!file.contains(server.password))
    }

    @Test("a key that is in no file afterwards, a key file, a pinned key: each logs in")
    func options() async throws {
        let server = try await SSHServer.shared()
        let (sandbox, place) = (try Sandbox(), try server.makePlace())
        defer { place.remove() }
        let key = try await server.makeKey(.ed25519)
        let configuration = try await server.clientConfiguration(.keyFile("/nonexistent"), known: .changed)
        let common = [
            "--type", "sftp", "--url", place.url().absoluteString, "--option", "ssh-config=\(configuration)",
            "--fingerprint", try await server.fingerprint(),
        ]
        for (name, option) in [("a", "key-pem"), ("b", "key-file")] {
            let script = (["remote", "add", name, "--option", "\(option)=\(key.path)"] + common)
                .map { "'\($0)'" }.joined(separator: " ")
            let added = try await sandbox.bash("ferry \(script)")
            #expect(added.code == 0, "\(added)")
            let listed = try await sandbox.ferry("ls", "\(name):")
            #expect(listed.code == 0, "\(listed)")
        }
        let file = try String(contentsOfFile: sandbox.remotesFile, encoding: .utf8)
        #expect(!file.contains("key-pem") && !file.contains("PRIVATE"))
        let wrong = try await sandbox.ferry(
            "remote",
            "add",
            "c",
            "--type",
            "sftp",
            "--url",
            place.url().absoluteString,
            "--option",
            "nonsense=1"
        )
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("knows no such option"), "\(wrong.errors)")
        for (arguments, code) in [
            (["--timeout", "300"], 0), (["--option", "timeout=0"], 1), (["--fingerprint", "MD5:16:27:ac"], 1),
        ] {
            let url = place.url().absoluteString
            let option = "ssh-config=\(configuration)"
            let added = try await sandbox.bash(
                "ferry remote add d --force --type sftp --url '\(url)' --option '\(option)' "
                    + arguments.joined(separator: " ")
            )
            #expect(added.code == Int32(code), "\(arguments): \(added)")
        }
    }

    @Test("a section of an rclone.conf becomes a remote, its key and its password in the store")
    func rclone() throws {
        let file = try RcloneFile(
            """
            [nas]
            type = sftp
            host = nas.example.org
            user = bob
            port = 2222
            key_file = /keys/nas
            known_hosts_file = /keys/known
            path_override = @/volume1
            md5sum_command = md5sum
            [pem]
            type = sftp
            host = pem.example.org
            key_pem = -----BEGIN X-----\\nabc\\n-----END X-----
            [abs]
            type = alias
            remote = nas:/srv/data
            [rel]
            type = alias
            remote = nas:docs
            """,
            path: "rclone.conf"
        )
        let plan = RcloneImport(file)
        var urls: [String: String] = [:]
        for section in file.sections {
            guard case .remote(let remote) = plan.outcome(of: section) else {
                Issue.record("\(section.name) is no remote")
                continue
            }
            let (configuration, secret, notes) = (remote.configuration, remote.secret, remote.notes)
            urls[section.name] = configuration.baseURL?.absoluteString
            if section.name == "nas" {
                #expect(configuration.user == "bob")
                #expect(
                    configuration.options == [
                        "key-file": "/keys/nas", "known-hosts": "/keys/known", "path-override": "@/volume1",
                    ]
                )
                #expect(notes == ["'md5sum_command' was left out"])
            }
            if section.name == "pem" {
                #expect(secret == .token("-----BEGIN X-----\nabc\n-----END X-----"))
                #expect(configuration.options.isEmpty)
            }
        }
        #expect(
            urls == [
                "nas": "sftp://nas.example.org:2222/~", "pem": "sftp://pem.example.org/~",
                "abs": "sftp://nas.example.org:2222/srv/data/", "rel": "sftp://nas.example.org:2222/~/docs/",
            ]
        )
    }

    @Test("a URL's '~' is the user's own folder")
    func home() throws {
        let address = try WebAddress("sftp://bob@nas/~/a/b")
        #expect(address.root.absoluteString == "sftp://nas/~")
        #expect(address.prefix == "sftp://bob@nas/~")
        #expect(address.path.string == "/a/b")
        #expect(try WebAddress("sftp://nas/a/~").path.string == "/a/~")
    }
}
