import Foundation
import Testing

/// Ends the command with `kill -9` at many different moments: nothing half-done may ever stand under a final name.
@Suite("Killed at any moment")
struct KillTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Runs a command 40 times and kills it after 0 to 39 milliseconds, then runs a check.
    private func sweep(_ command: String, check: String) async throws {
        let script = """
            killed=0
            for turn in {0..39}; do
                $FERRY \(command) & pid=$!
                sleep "$(printf '0.%04d' $((turn * 10)))"
                kill -9 $pid 2>/dev/null && killed=$((killed + 1))
                wait $pid 2>/dev/null
                \(check) || { echo "after $turn turns"; ls -lA; exit 1; }
            done
            [ $killed -gt 0 ] && [ $killed -le 40 ]
            """
        let outcome = try await sandbox.bash(script)
        #expect(outcome.code == 0, "\(outcome)")
    }

    @Test(
        "a write, and a copy of a file, leave the old content or the new",
        arguments: ["write -f file < new", "cp -f new file"]
    )
    func file(command: String) async throws {
        try sandbox.make("old", String(repeating: "o", count: 4_000_000))
        try sandbox.make("new", String(repeating: "n", count: 9_000_000))
        try sandbox.make("file", String(repeating: "o", count: 4_000_000))
        try await sweep(command, check: "{ cmp -s file old || { cmp -s file new && cp old file; }; }")
    }

    @Test("a copy of a folder is there as a whole, or not at all")
    func copyFolder() async throws {
        for folder in 0..<10 {
            for file in 0..<40 { try sandbox.make("tree/\(folder)/\(file)", "\(folder) \(file)") }
        }
        try await sweep(
            "cp -r tree copy",
            check: "{ [ ! -e copy ] || { diff -r tree copy && rm -r copy; }; }"
        )
    }

    @Test("a move leaves every file at its old place or its new one")
    func move() async throws {
        for file in 0..<200 { try sandbox.make("tree/\(file)", "\(file)") }
        try sandbox.makeFolder("target")
        try await sweep(
            "mv -f tree target/tree",
            check: "[ \"$(find tree target -type f 2>/dev/null | wc -l)\" = 200 ] && "
                + "{ [ -d tree ] || mv target/tree tree; }"
        )
    }
}
