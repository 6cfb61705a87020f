import FerryCloudLab
import Foundation
import Testing

/// Words for a stranger: each says what is wrong, where, and what to do.
@Suite("Messages about clouds")
struct CloudWordsTests {
    let sandbox: Sandbox

    private static let longName = String(repeating: "n", count: 300)

    private static let options: CloudLab.Options = {
        var options = CloudLab.Options()
        options.clock = .running()
        return options
    }()

    init() throws {
        sandbox = try Sandbox()
    }

    /// Makes the remotes `box` at Dropbox and `cloud` at OneDrive.
    private func addBoth(_ lab: CloudLab) async throws {
        try await CloudAccount.dropbox.add(lab, to: sandbox)
        let renamed = try await sandbox.ferry("remote", "rename", "cloud", "box")
        try #require(renamed.code == 0, "\(renamed)")
        try await CloudAccount.onedrive.add(lab, to: sandbox)
    }

    // MARK: Logins

    @Test("a token that the server refuses is not kept, and the one before stays", arguments: CloudAccount.all)
    func refusedToken(account: CloudAccount) async throws {
        try await withCloudLab(Self.options) { lab in
            try await account.add(lab, to: sandbox)
            func state() async throws -> String {
                try await sandbox.bash("stat -c '%i %z' '\(sandbox.secretsFile)'").output
            }
            let before = try await state()
            let wrong = try await sandbox.bash("ferry remote login cloud --token-stdin", input: "no-such-token")
            #expect(wrong.code == 1 && wrong.errors.contains("cloud: the server refused the token"), "\(wrong)")
            // Killed at any moment, the one before is there.
            #expect(try await state() == before && !before.isEmpty)
            #expect(try await sandbox.ferry("ls", "cloud:").code == 0)
        }
    }

    @Test("a token is kept, with a warning, if the server can't be reached", arguments: CloudAccount.all)
    func untriedToken(account: CloudAccount) async throws {
        try await withCloudLab(Self.options) { try await account.add($0, to: sandbox, logsIn: false) }
        let login = try await sandbox.bash("ferry remote login cloud --token-stdin", input: "some-token")
        #expect(login.code == 0, "\(login)")
        #expect(login.errors.hasPrefix("cloud: logged in, but the token could not be tried: "), "\(login)")
        #expect(try await sandbox.ferry("remote", "show", "cloud").output.contains("stored in"))
    }

    @Test("a login that was revoked says how to log in again", arguments: CloudAccount.all)
    func revoked(account: CloudAccount) async throws {
        try await withCloudLab(Self.options) { lab in
            try await account.add(lab, to: sandbox)
            lab.graph.revokeTokens(of: lab.graph.account)
            lab.dropbox.revokeTokens(of: lab.dropbox.account)
            let outcome = try await sandbox.ferry("ls", "cloud:")
            #expect(outcome.code == 1, "\(outcome)")
            #expect(outcome.errors.hasSuffix(", log in with 'ferry remote login cloud'\n"), "\(outcome)")
        }
    }

    @Test("a login on another device names the host that can't be reached and the option, or what to do without one")
    func device() async throws {
        try await withCloudLab(Self.options) { try await CloudAccount.onedrive.add($0, to: sandbox, logsIn: false) }
        let unreachable = try await sandbox.ferry("remote", "login", "cloud", "--device")
        #expect(unreachable.code == 1 && unreachable.errors.contains("the login at 127.0.0.1 failed"), "\(unreachable)")
        #expect(unreachable.errors.contains("the option device-url of the remote"), "\(unreachable)")
        let none = try await sandbox.bash(
            "ferry remote add d --type dropbox --client-id app 2>/dev/null; ferry remote login d --device"
        )
        #expect(none.code == 1 && none.errors.contains("--no-browser"), "\(none)")
    }

    @Test("a login at a server that is busy names the host, and no option")
    func busyLogin() async throws {
        try await withCloudLab(Self.options) { lab in
            try await CloudAccount.onedrive.add(lab, to: sandbox, logsIn: false)
            lab.faults.add(.serverError(status: 503), route: "devicecode", count: 100)
            let outcome = try await sandbox.ferry("remote", "login", "cloud", "--device")
            #expect(outcome.code == 1 && outcome.errors.contains("the login at 127.0.0.1 failed ("), "\(outcome)")
            #expect(outcome.errors.hasSuffix(", try again later\n"), "\(outcome)")
        }
    }

    // MARK: Places

    @Test("a space that is not there is not a missing file: the option is named")
    func pathRoot() async throws {
        try await withCloudLab(Self.options) { lab in
            let options = CloudAccount.dropbox.options(lab).map { "--option \($0.key)=\($0.value)" }
            let outcome = try await sandbox.bash(
                """
                ferry remote add d --type dropbox --client-id app --option path-root=12345 \
                    \(options.joined(separator: " ")) 2>/dev/null
                ferry remote login d --token-stdin 2>/dev/null; ferry ls d:
                """,
                input: lab.dropbox.makeAccessToken()
            )
            #expect(outcome.code == 1 && outcome.errors.contains("option path-root"), "\(outcome)")
        }
    }

    @Test("a drive that is not there is not a missing file: the option is named")
    func drive() async throws {
        try await withCloudLab(Self.options) { lab in
            let options = CloudAccount.onedrive.options(lab).map { "--option \($0.key)=\($0.value)" }
            let outcome = try await sandbox.bash(
                """
                ferry remote add d --type onedrive --client-id app --option user=nobody@contoso.com \
                    \(options.joined(separator: " ")) 2>/dev/null
                ferry remote login d --token-stdin 2>/dev/null; echo x > x
                ferry ls d:; ferry cp x d:; ferry mkdir -p d:a/b
                """,
                input: lab.graph.makeAccessToken()
            )
            #expect(outcome.problems.count == 3 && outcome.code == 1, "\(outcome)")
            for line in outcome.problems {
                #expect(line.contains("the service knows no such drive") && line.contains("option"), "\(line)")
                #expect(!line.contains("mkdir"), "\(line)")
            }
        }
    }

    @Test("what exists at the target is named there, though the source has the same path")
    func existing() async throws {
        try await withCloudLab(Self.options) { lab in
            try await addBoth(lab)
            let outcome = try await sandbox.bash(
                """
                mkdir A B; echo x > A/f; echo x > B/f; ferry cp -r A B box: 2>/dev/null; ferry cp -r A B cloud: 2>/dev/null
                ferry cp -r box:A box:B cloud:
                """
            )
            #expect(outcome.code == 1, "\(outcome)")
            #expect(outcome.problems.map { $0.prefix(14) } == ["ferry: cloud:A", "ferry: cloud:B"], "\(outcome)")
        }
    }

    @Test("a folder that can't be made says how long its name may be, and which folder above it is left")
    func longNames() async throws {
        try await withCloudLab(Self.options) { lab in
            try await CloudAccount.onedrive.add(lab, to: sandbox)
            let outcome = try await sandbox.ferry("mkdir", "-p", "cloud:new/sub/\(Self.longName)")
            #expect(outcome.code == 1, "\(outcome)")
            #expect(
                outcome.errors.contains("the name has 300 characters, and OneDrive takes 255 at most"),
                "\(outcome)"
            )
            #expect(outcome.problems.last == "ferry: note: cloud:new/sub is there, empty, and stays", "\(outcome)")
            // Of a folder that was there before nothing is said, empty or not.
            let again = try await sandbox.ferry("mkdir", "-p", "cloud:new/sub/\(Self.longName)")
            #expect(again.code == 1 && !again.errors.contains("note:"), "\(again)")
        }
    }

    // MARK: Listings

    @Test("the top of a remote is a heading with one colon", arguments: CloudAccount.all)
    func heading(account: CloudAccount) async throws {
        try await withCloudLab(Self.options) { lab in
            try account.storage(lab).makeFolder(at: "/sub")
            try await account.add(lab, to: sandbox)
            let outcome = try await sandbox.ferry("ls", "-R", "cloud:")
            #expect(outcome.lines == ["cloud:", "sub", "", "cloud:sub:"], "\(outcome)")
        }
    }

    @Test("a link that has no id but its URL shows it once, and an option that can't be had is named")
    func links() async throws {
        try await withCloudLab(Self.options) { lab in
            try lab.dropbox.account.storage.write(Data("x".utf8), to: "/Big/Name.txt")
            try await CloudAccount.dropbox.add(lab, to: sandbox)
            let made = try await sandbox.ferry("link", "create", "cloud:Big/Name.txt")
            let url = made.output.dropLast()
            let list = try await sandbox.ferry("link", "list", "cloud:Big/Name.txt")
            #expect(list.lines == ["\(url)  cloud:Big/Name.txt"], "\(list)")
            let edit = try await sandbox.bash(
                "ferry link revoke cloud:Big/Name.txt; ferry link create --edit cloud:Big/Name.txt"
            )
            #expect(edit.code == 1 && edit.errors.hasSuffix(", leave out --edit\n"), "\(edit)")
            let team = try await sandbox.ferry("link", "create", "--scope", "organization", "cloud:Big/Name.txt")
            #expect(team.code == 1 && team.errors.hasSuffix(", leave out --scope\n"), "\(team)")
            #expect(team.output.isEmpty, "\(team)")
            let invited = try await sandbox.bash(
                """
                ferry link create --scope invited --json cloud:Big/Name.txt | jq -r .scope
                ferry link list cloud:Big/Name.txt --json | jq -r .scope
                ferry link list cloud:Big/Name.txt
                """
            )
            #expect(invited.lines.prefix(2) == ["invited", "invited"] && invited.lines.count == 3, "\(invited)")
            #expect(invited.lines.last?.hasSuffix("  invited") == true, "\(invited)")
            let wrong = try await sandbox.ferry("link", "create", "--scope", "all", "cloud:Big/Name.txt")
            #expect(wrong.code == 64 && wrong.errors.contains("organization"), "\(wrong)")
            let past = try await sandbox.ferry("link", "create", "--expires", "2020-01-01", "cloud:Big/Name.txt")
            #expect(past.code == 64 && past.errors.contains("--expires is in the past"), "\(past)")
        }
    }

    @Test("unfinished copies of ferry's own are not shown in the trash")
    func trash() async throws {
        try await withCloudLab(Self.options) { lab in
            let storage = lab.dropbox.account.storage
            for name in ["/.ferry-0123456789abcdef.tmp", "/.ferry-mine.tmp"] {
                try storage.write(Data("x".utf8), to: name)
                try storage.remove(at: name)
            }
            try await CloudAccount.dropbox.add(lab, to: sandbox)
            let outcome = try await sandbox.ferry("trash", "list", "cloud:")
            #expect(outcome.lines.count == 1 && outcome.output.hasSuffix("cloud:/.ferry-mine.tmp\n"), "\(outcome)")
        }
    }

    // MARK: Comparisons

    @Test("files without a checksum in common are not called different, but not compared")
    func check() async throws {
        try await withCloudLab(Self.options) { lab in
            try await addBoth(lab)
            let outcome = try await sandbox.bash(
                """
                mkdir T; echo x > T/x; ferry cp -r T box: 2>/dev/null; ferry cp -r T cloud: 2>/dev/null
                ferry check --checksum box:T cloud:T; echo "code $?"
                ferry check --checksum --json box:T cloud:T | jq -r '.event, .uncompared, .differing'
                ferry check --download box:T cloud:T; echo "code $?"
                """
            )
            #expect(
                outcome.lines == [
                    "can't be compared  x  (no checksum of the same kind)",
                    "0 files the same, 0 differences, 1 not compared",
                    "code 1", "uncompared", "null", "null", "summary", "1", "0",
                    "1 file the same, 0 differences", "code 0",
                ],
                "\(outcome)"
            )
            #expect(outcome.errors.contains("note: --download compares what has no checksum in common"), "\(outcome)")
        }
    }
}
