import FerryTestServers
import Foundation
import Testing

@Suite("What the command can do on a Nextcloud besides files")
struct NextcloudAbilityTests {
    let sandbox: Sandbox
    let server: NextcloudServer

    init() async throws {
        sandbox = try Sandbox()
        server = try await NextcloudServer.start()
        try await sandbox.addNextcloud(server)
    }

    @Test("links, trash, versions and theme")
    func abilities() async throws {
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
        #expect(made.problems == ["ferry: nc:a: several links lead to it, say which, or give --all"])
        await server.stop()
    }

    @Test("a link lets people change what is in a folder, until a day, with a password that no argument tells")
    func linkOptions() async throws {
        let made = try await sandbox.bash(
            """
            ferry mkdir nc:d
            echo 'correct Horse 7' | ferry link create nc:d --edit --password-stdin --expires 2099-01-31 --json \\
                | jq -r '.access, .hasPassword, .expires, .path'
            ferry link create nc:d --json | jq -r '.access, .hasPassword, .expires'
            ferry link list nc:d | grep -c 'edit.*password'
            ferry link create nc:d --password-stdin < /dev/null; echo $?
            """
        )
        #expect(made.output == "edit\ntrue\n2099-01-31T00:00:00Z\n/d\nread\nfalse\nnull\n1\n1\n", "\(made)")
        #expect(made.errors.contains("there is no password in it"), "\(made)")
        await server.stop()
    }

    @Test("the trash is emptied of one item, or of all")
    func emptyTrash() async throws {
        let outcome = try await sandbox.bash(
            """
            for name in a b c; do echo $name | ferry write nc:$name; ferry rm nc:$name; done
            ferry trash empty nc:; echo $?
            ferry trash empty nc: --id none; echo $?
            ferry trash empty nc: --id "$(ferry trash list nc: --json | jq -r 'select(.path == "/b").id')"
            ferry trash list nc: --json | jq -r .path | sort
            ferry trash empty nc: --all; ferry trash list nc: | wc -l
            """
        )
        #expect(outcome.output == "64\n1\n/a\n/c\n0\n", "\(outcome)")
        #expect(outcome.errors.contains("ferry: none: not in the trash, see 'ferry trash list'\n"), "\(outcome)")
        await server.stop()
    }

    @Test("the room that is left is told")
    func room() async throws {
        server.setQuota(3 << 20)
        let outcome = try await sandbox.bash(
            """
            head -c 1048576 /dev/zero | ferry write nc:a
            ferry remote test nc | grep room; ferry remote test nc --json | jq '.used, .available, .total'
            ferry df nc: --json | jq '.available'
            """
        )
        #expect(
            outcome.output.contains("room: 1.0 MiB used, 2.0 MiB free\n1048576\n2097152\n3145728\n2097152\n"),
            "\(outcome)"
        )
        await server.stop()
    }

    @Test("earlier versions are listed, shown, and brought back")
    func versions() async throws {
        let outcome = try await sandbox.bash(
            """
            echo -n one | ferry write nc:a; echo -n second | ferry write -f nc:a; echo -n third | ferry write -f nc:a
            ferry versions list nc:a | wc -l
            oldest=$(ferry versions list nc:a --json | jq -r .id | tail -n 1)
            ferry versions cat nc:a "$oldest"; echo
            ferry versions restore nc:a "$oldest"; ferry cat nc:a; echo
            ferry versions cat nc:a none; echo $?
            """
        )
        #expect(outcome.output == "2\none\none\n1\n", "\(outcome)")
        #expect(outcome.errors.hasPrefix("ferry: "), "\(outcome)")
        await server.stop()
    }
}
