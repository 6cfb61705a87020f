import FerryTestServers
import Foundation
import Testing

@Suite("The desktop's keyring")
struct KeyringTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private var secrets: String {
        String(decoding: FileManager.default.contents(atPath: sandbox.secretsFile) ?? Data(), as: UTF8.self)
    }

    private static let add = "ferry remote add w --type webdav --url https://h.example/ --user ann --password-stdin"

    @Test("keeps passwords where there is one; one in the file works on, and goes to the keyring with the next change")
    func kept() async throws {
        #expect(try await sandbox.bash(Self.add, input: "old s3cret\n").code == 0)
        let sandbox = sandbox
        try await KeyringOnABus.with { address in
            let bus = "export DBUS_SESSION_BUS_ADDRESS='\(address)'; "
            let file = try await sandbox.bash(bus + "ferry remote show w --json | jq -r .passwordPlace")
            #expect(file.output == "\(sandbox.secretsFile)\n", "\(file)")
            let moved = try await sandbox.bash(
                bus + "ferry remote login w --password-stdin && ferry remote show w",
                input: "new s3cret\n"
            )
            #expect(moved.output.contains("stored in the desktop's keyring\n"), "\(moved)")
            let left = FileManager.default.contents(atPath: sandbox.secretsFile) ?? Data()
            #expect(!String(decoding: left, as: UTF8.self).contains("s3cret"))

            let off = try await sandbox.bash(bus + "FERRY_KEYRING=off ferry remote show w --json | jq .hasPassword")
            #expect(off.output == "false\n")
            let removed = try await sandbox.bash(bus + "ferry remote remove w")
            #expect(removed.code == 0, "\(removed)")
            let again = try await sandbox.bash(
                bus + Self.add + " --force; ferry remote logout w; ferry remote show w --json | jq .hasPassword",
                input: "third\n"
            )
            #expect(again.output == "false\n", "\(again)")
        }
    }

    @Test("gives a password to what uses the remote")
    func used() async throws {
        let served = try await ServedSandbox(.apache)
        let (sandbox, server) = (served.sandbox, served.server)
        try await KeyringOnABus.with { address in
            let outcome = try await sandbox.bash(
                """
                export DBUS_SESSION_BUS_ADDRESS='\(address)'
                ferry remote login w --password-stdin && echo hello | ferry write w:a && ferry cat w:a
                ferry remote test w | grep password
                """,
                input: server.password + "\n"
            )
            #expect(outcome.output == "hello\n✓ password: stored in the desktop's keyring\n", "\(outcome)")
        }
    }

    @Test("is not touched by what needs no password, and no library is loaded for it")
    func untouched() async throws {
        #expect(try await sandbox.bash(Self.add, input: "s3cret\n").code == 0)
        let sandbox = sandbox
        try await KeyringOnABus.with { address in
            let loads = """
                loads() { LD_DEBUG=files DBUS_SESSION_BUS_ADDRESS='\(address)' "$FERRY" "$@" 2>&1 | grep -c libdbus; }
                loads version; loads ls .; loads remote list; loads remote show w; ferry remote logout w
                [ "$(loads remote show w)" -gt 0 ] && echo loaded
                """
            let outcome = try await sandbox.bash(loads)
            #expect(outcome.output == "0\n0\n0\n0\nloaded\n", "\(outcome)")
        }
    }

    @Test("that is locked is an error, and nothing goes to the file behind the person's back")
    func locked() async throws {
        let sandbox = sandbox
        try await KeyringOnABus.with(isUnlocked: false) { address in
            let bus = "export DBUS_SESSION_BUS_ADDRESS='\(address)'; "
            let outcome = try await sandbox.bash(bus + Self.add, input: "s3cret\n")
            #expect(outcome.code == 1 && outcome.errors.contains("keyring"), "\(outcome)")
            #expect(!FileManager.default.fileExists(atPath: sandbox.secretsFile))
            let off = try await sandbox.bash("export FERRY_KEYRING=off; " + bus + Self.add, input: "s3cret\n")
            #expect(off.code == 0)
        }
        #expect(secrets.contains("s3cret"))
    }
}
