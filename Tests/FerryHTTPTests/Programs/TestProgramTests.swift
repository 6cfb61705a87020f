import FerryTestServers
import Foundation
import Testing

@Suite("Programs that tests run")
struct TestProgramTests {
    @Test("get their arguments, variables, folder and input, and say how they ended")
    func everything() async throws {
        let script = #"printf '%s\n' "$1" "$WORD" "$PWD"; cat; echo oh >&2; exit 3"#
        let result = try await TestProgram.run(
            "sh",
            ["-c", script, "sh", "a b"],
            environment: ["WORD": "ü", "PATH": "/usr/bin:/bin"],
            workingDirectory: "/usr",
            input: Data("from here".utf8)
        )
        #expect(result.output == "a b\nü\n/usr\nfrom here" && result.errors == "oh\n" && result.ending == .exited(3))
    }

    @Test("get no descriptor of the tests")
    func descriptors() async throws {
        let result = try await TestProgram.run("/bin/sh", ["-c", "cd /proc/$$/fd && echo *"])
        // Some shells keep one more of their own.
        #expect(result.output.split(separator: " ").count <= 4, "\(result.output)")
    }

    @Test("say by which signal they were ended, and end when the test does")
    func signals() async throws {
        #expect(try await TestProgram.run("/bin/sh", ["-c", "kill -9 $$"]).ending == .signaled(SIGKILL))
        let running = Task { try await TestProgram.run("/bin/sleep", ["600"]).ending }
        running.cancel()
        #expect(try await running.value == .signaled(SIGKILL))
    }

    @Test("that don't exist are an error")
    func missing() async {
        await #expect(throws: POSIXError(.ENOENT)) { try await TestProgram.run("/no/such/program") }
    }
}
