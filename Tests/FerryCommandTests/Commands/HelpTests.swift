import Foundation
import Testing

@Suite("Help, version, demo")
struct HelpTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    static let subcommands = [
        "ls", "tree", "stat", "info", "thumbnail", "find", "du", "df", "watch", "cat", "write", "mkdir", "cp", "mv",
        "rm", "trash", "versions",
        "sync", "check", "jobs", "undo", "redo", "history",
        "remote", "link", "lock", "unlock", "theme", "cache", "demo", "version",
    ]

    @Test("version says which ferry this is")
    func version() async throws {
        let lines = try await sandbox.ferry("version").lines
        #expect(lines.count == 2 && lines[0] == "ferry 0.1.0" && lines[1].hasPrefix("built with Swift 6."))
        #expect(try await sandbox.ferry("--version").output == "ferry 0.1.0\n")
        #expect(try await sandbox.ferry("version", "--json").objects.first?["version"] as? String == "0.1.0")
    }

    @Test("ferry alone shows the help, with every subcommand")
    func overview() async throws {
        let outcome = try await sandbox.ferry()
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("OVERVIEW: Files anywhere, with one command.\n"))
        for name in Self.subcommands {
            #expect(outcome.output.contains("\n  \(name) ") || outcome.output.contains("\n  \(name), "), "\(name)")
        }
        #expect(try await sandbox.ferry("--help").output == outcome.output)
    }

    @Test("help fits into 80 columns, and has examples", arguments: subcommands)
    func columns(_ name: String) async throws {
        let outcome = try await sandbox.ferry(name, "--help")
        #expect(outcome.code == 0)
        for line in outcome.lines where !line.hasPrefix("USAGE:") { #expect(line.count <= 80, "\(line)") }
        if !["demo", "version"].contains(name) { #expect(outcome.output.contains("\nEXAMPLES\n  ")) }
    }

    @Test("no line of a help's text is so long that it is broken in two")
    func unbroken() async throws {
        let help = try #require(try await sandbox.ferry("--experimental-dump-help").output.data(using: .utf8))
        let all = try #require(try JSONSerialization.jsonObject(with: help) as? [String: Any])
        var commands = [try #require(all["command"] as? [String: Any])]
        while let command = commands.popLast() {
            commands += command["subcommands"] as? [[String: Any]] ?? []
            // The parser breaks lines of 80 characters and more.
            for line in (command["discussion"] as? String ?? "").split(separator: "\n") {
                #expect(line.count < 80, "\(line)")
            }
        }
    }

    @Test(
        "the help of what has parts fits, too",
        arguments: [
            "remote add", "remote list", "remote show", "remote test", "remote login", "remote logout", "remote rename",
            "remote remove", "remote import", "link create", "link list", "link revoke", "trash put", "trash list",
            "trash restore", "trash empty", "versions list", "versions cat", "versions restore", "lock take",
            "lock list", "lock refresh", "lock release", "jobs list", "jobs resume", "jobs forget",
            "cache info", "cache list", "cache clear", "history list", "history clear",
        ]
    )
    func columnsOfParts(_ names: String) async throws {
        let outcome = try await sandbox.bash("ferry \(names) --help")
        #expect(outcome.code == 0)
        for line in outcome.lines where !line.hasPrefix("USAGE:") { #expect(line.count <= 80, "\(line)") }
        #expect(outcome.output.contains("\nEXAMPLES\n  "))
    }

    @Test("its lines are broken where they were written, on a wide terminal, too", arguments: subcommands)
    func writtenLines(_ name: String) async throws {
        let outcome = try await sandbox.bash("COLUMNS=200 ferry \(name) --help")
        for line in outcome.lines.prefix(while: { !$0.hasPrefix("USAGE:") }) { #expect(line.count <= 80, "\(line)") }
    }

    @Test("no terminal is too narrow for it", arguments: [-1, 0, 5, 26, 27, 40])
    func narrow(_ width: Int) async throws {
        for name in ["", "cp", "remote add"] {
            let outcome = try await sandbox.bash("COLUMNS=\(width) ferry \(name) --help")
            #expect(outcome.code == 0 && outcome.output.contains("USAGE:") && outcome.output.contains("-h, --help"))
        }
        let wrong = try await sandbox.bash("COLUMNS=\(width) ferry ls --nonsense")
        #expect(wrong.code == 64 && wrong.errors.contains("--nonsense"), "\(wrong)")
    }

    @Test("the help of mkdir, word for word")
    func mkdir() async throws {
        #expect(
            try await sandbox.ferry("mkdir", "--help").output == """
                OVERVIEW: Make folders.

                EXAMPLES
                  ferry mkdir photos
                  ferry mkdir -p photos/2026/06     with the folders above, or as they are

                USAGE: ferry mkdir <location> ... [--parents]

                ARGUMENTS:
                  <location>              The folder to make. A local path, or NAME:path on
                                          another storage.

                OPTIONS:
                  -p, --parents           Make the folders above it, too.
                  --version               Show the version.
                  -h, --help              Show help information.


                """
        )
    }

    @Test("there are completions for three shells", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) async throws {
        let outcome = try await sandbox.ferry("--generate-completion-script", shell)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("ferry") && outcome.output.contains("mkdir"))
    }

    @Test("the demo shows everything, and leaves nothing behind")
    func demo() async throws {
        let outcome = try await sandbox.bash("ferry demo && ls -A \"$TMPDIR\" | grep -c ferry-demo")
        #expect(outcome.errors == "")
        #expect(outcome.lines.last == "0")
        #expect(!outcome.output.contains("\u{1B}"))
        for words in [
            "125 files, 25.", "all is where it was", "one change, with all that is in the folder",
            "every word is back", "refused: ", "safe and sound",
            "All done in ", "60 items from the server", "the same 60 items from the cache",
        ] {
            #expect(outcome.output.contains(words), "\(words)")
        }
        #expect(outcome.output.split(separator: "\n").filter { $0.hasPrefix("  ✓ ") }.count == 13)
    }

    @Test("the demo makes a thumbnail")
    func demoPicture() async throws {
        let outcome = try await sandbox.ferry("demo")
        #expect(outcome.output.contains("$ ferry thumbnail memory:harbour.svg\n  ✓ 256 × 144 pixels, "), "\(outcome)")
    }

    @Test("the demo breaks a copy to a server off in the middle of a file, and goes on with what is missing")
    func demoGoesOn() async throws {
        let outcome = try await sandbox.bash(
            """
            ferry demo && cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -c "^$TMPDIR/ferry-demo"
            """
        )
        #expect(outcome.errors == "")
        #expect(outcome.lines.last == "0", "Apache is gone")
        #expect(outcome.output.contains("ferry cp -r sample http://127.0.0.1:"))
        let broken = try #require(outcome.lines.first { $0.hasPrefix("  broken off ") })
        #expect(broken.contains("in the middle of ") && broken.contains("film.mp4"))
        let line = try #require(outcome.lines.first { $0.contains("the second run sent ") })
        let words = try #require(line.wholeMatch(of: /.* sent ([0-9.]+) MiB of ([0-9.]+) MiB, and all is there.*/))
        let (sent, all) = (try #require(Double(words.1)), try #require(Double(words.2)))
        // At most what was under way when half had passed is sent twice.
        #expect(sent > 0 && sent < all - 5)
        #expect(all >= 57 && all < 58)
    }
}
