import FerryTestServers
import Foundation
import Testing

@Suite("On a terminal")
struct TerminalTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Runs a command line at a terminal of its own.
    private func atTerminal(_ line: String, _ variables: String = "TERM=xterm") async throws -> String {
        let command = line.replacingOccurrences(of: "ferry", with: Sandbox.command)
        let outcome = try await sandbox.bash("\(variables) script -qec '\(command)' /dev/null")
        return outcome.output.replacingOccurrences(of: "\r\n", with: "\n")
    }

    @Test("ls shows folders, links and programs in colour")
    func colours() async throws {
        try sandbox.make("d/x")
        try sandbox.makeLink("l", to: "d")
        try sandbox.make("run")
        _ = try await sandbox.bash("chmod +x run; touch plain")
        #expect(
            try await atTerminal("ferry ls")
                == "\u{1B}[1;34md\u{1B}[0m\n\u{1B}[36ml\u{1B}[0m\nplain\n\u{1B}[32mrun\u{1B}[0m\n"
        )
        #expect(try await sandbox.ferry("ls").output == "d\nl\nplain\nrun\n")
    }

    @Test("NO_COLOR and a dumb terminal show no colour", arguments: ["NO_COLOR=1 TERM=xterm", "TERM=dumb"])
    func noColour(_ variables: String) async throws {
        try sandbox.make("d/x")
        #expect(try await atTerminal("ferry ls", variables) == "d\n")
    }

    @Test("names move no cursor")
    func controlCharacters() async throws {
        _ = try await sandbox.bash(#"touch $'a\e[31m\nb' $'c\xff'"#)
        #expect(try await atTerminal("ferry ls") == "a?[31m?b\nc?\n")
    }

    @Test(
        "no error moves the cursor, whatever subcommand and mistake, and whatever is called so",
        arguments: [
            "ls NAME", "ls --NAME", "ls x:NAME", "ls memory:NAME", "ls dav://127.0.0.1:1/NAME", "tree NAME",
            "stat NAME",
            "info NAME", "find . NAME", "find NAME TRUEPREDICATE", "du NAME", "df NAME", "watch --count 1 NAME",
            "cat NAME",
            "cat --offset NAME x", "write NAME/x", "mkdir NAME/x/y", "cp NAME x", "cp there NAME/x",
            "cp -r there there/NAME/x",
            "cp NAME", "mv NAME x", "mv a b c NAME", "rm NAME", "rm --NAME", "rm memory:NAME", "trash put NAME",
            "trash restore NAME", "versions list NAME", "undo NAME", "undo -n NAME", "redo -n NAME",
            "history show NAME",
            "history NAME", "sync NAME x", "sync there x --where NAME", "sync there x --max-delete NAME",
            "sync there NAME/x/y",
            "sync there x --filter-from NAME", "sync there x --run-plan NAME", "check NAME there", "check there NAME",
            "jobs resume NAME", "jobs forget NAME", "remote show NAME", "remote add NAME --type webdav --url http://h/",
            "remote add w --type NAME --url http://h/", "remote add w --type webdav --url NAME",
            "remote add w --type webdav --url http://h/ --ca-file NAME",
            "remote add w --type webdav --url http://h/ --option NAME",
            "remote import NAME", "remote rename NAME x", "remote remove NAME", "remote login NAME", "remote test NAME",
            "link create NAME", "lock take NAME", "unlock NAME", "theme NAME", "cache ls NAME", "cache export NAME x",
            "thumbnail NAME", "thumbnail there -o NAME/x", "NAME", "NAME x", "version NAME", "demo NAME",
        ]
    )
    func noEscapes(_ line: String) async throws {
        try sandbox.make("there", "x")
        try sandbox.makeFolder("a")
        let outcome = try await sandbox.bash(
            "name=$'e\\e]0;owned\\a\\e[31m\\r\\u009b2J'; "
                + "timeout 300 $FERRY \(line.replacing("NAME", with: "\"$name\""))"
        )
        let shown = outcome.output + outcome.errors
        #expect(
            !shown.unicodeScalars.contains {
                ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F..<0xA0).contains($0.value)
            }
        )
        #expect(outcome.code != 124, "\(outcome)")
    }

    @Test("the demo shows its copying as a bar")
    func demo() async throws {
        let shown = try await atTerminal("ferry demo")
        #expect(shown.contains("  copying  ━━━━") && shown.contains("100%  25.0 MiB of 25.0 MiB"), "\(shown)")
    }

    @Test("a password is asked for, and not shown while it is typed")
    func password() async throws {
        let line = "ferry remote add w --type webdav --url https://h.example/ --user ann"
        let command = line.replacing("ferry", with: Sandbox.command)
        // Whoever types before the question is heard by nobody.
        let outcome = try await sandbox.bash(
            """
            type() { for i in $(seq 3000); do grep -q Password shown 2>/dev/null && break; sleep 0.1; done; echo s3cret; }
            type | TERM=xterm script -qefc '\(command)' shown
            """
        )
        #expect(outcome.output.contains("Password of ann at h.example: "), "\(outcome)")
        #expect(!outcome.output.contains("s3cret") && outcome.code == 0)
        let secrets = FileManager.default.contents(atPath: sandbox.secretsFile) ?? Data()
        #expect(String(decoding: secrets, as: UTF8.self).contains(#""s3cret""#))
    }

    @Test("a transfer shows its total and its files, follows the terminal's width, and takes all of it away")
    func transfer() async throws {
        let served = try await ServedSandbox(.rclone)
        let command = "\(Sandbox.command) sync --bwlimit 400K --no-journal d w:d 2>&1"
        // The terminal becomes narrower when something is shown. No file takes so long that the command would say what
        // it waits for.
        let resizing = "until grep -qs files shown; do sleep 0.02; done; stty cols 40 < /dev/tty"
        let outcome = try await served.sandbox.bash(
            """
            mkdir d; for i in $(seq 30); do head -c 200000 /dev/zero > d/file$i; done
            TERM=xterm script -qefc 'stty cols 60 rows 10; (\(resizing)) & \(command); wait' shown
            """
        )
        let shown = outcome.output.replacingOccurrences(of: "\r\n", with: "\n")
        #expect(shown.contains("d  ━") && shown.contains(" of 30 files"), "\(shown)")
        #expect(shown.contains(#/  file\d+  /#), "\(shown)")
        // Each frame is drawn over the one before, and only the last lines stay.
        let frames = shown.components(separatedBy: "\u{1B}[J")
        #expect(frames.count > 5)
        let last = try #require(frames.last)
        // What is sent a second time, after a lost connection, counts.
        let end = #/30 copied \([5-9]\.\d MiB\)\nferry: w:d: note: dates of 30 items are not kept there\n/#
        #expect(last.wholeMatch(of: end) != nil, "\(shown)")
        let drawn = Array(frames.dropFirst().dropLast())
        let widths = drawn.map { frame in
            frame.components(separatedBy: "\n").map { line in line.prefix { $0 != "\r" }.count }.max() ?? 0
        }
        #expect(widths.allSatisfy { $0 < 60 } && (widths.last ?? 60) < 40, "\(widths), \(shown)")
    }

    @Test("a server is not said to be silent while a slow upload is on its way")
    func slowUpload() async throws {
        let served = try await ServedSandbox(.rclone)
        // The upload takes 15 seconds; after ten, it would be said.
        let command = "\(Sandbox.command) cp --bwlimit 100K --no-journal big w:"
        let outcome = try await served.sandbox.bash(
            "head -c 1500000 /dev/zero > big; TERM=xterm script -qefc '\(command)' shown"
        )
        #expect(outcome.code == 0 && outcome.output.contains("of 1.4 MiB"), "\(outcome)")
        #expect(!outcome.output.contains("still waiting"), "\(outcome)")
    }

    @Test("after Ctrl-C nothing of the display is left")
    func interruptedTransfer() async throws {
        let served = try await ServedSandbox(.rclone)
        // A file that is shown has begun: then there is something to go on with.
        let line = """
            set -m; \(Sandbox.command) cp -r --bwlimit 100K d w:d &
            until grep -qs file1 shown; do sleep 0.02; done; kill -INT $!; wait $!; echo "code $?"
            """
        let outcome = try await served.sandbox.bash(
            """
            mkdir d; for i in 1 2 3; do head -c 4000000 /dev/zero > d/file$i; done
            TERM=xterm script -qefc '\(line)' shown
            """
        )
        let shown = outcome.output.replacingOccurrences(of: "\r\n", with: "\n")
        let rest = try #require(shown.components(separatedBy: "\u{1B}[J").last)
        #expect(rest.hasPrefix("ferry: interrupted; ") && rest.hasSuffix("code 130\n"), "\(shown)")
    }

    @Test("a progress bar is shown when it takes long, and is gone in the end")
    func progress() async throws {
        // The input ends when the bar was seen.
        let slow = "(head -c 1000000 /dev/zero; until grep -qs KiB shown; do sleep 0.02; done)"
        let outcome = try await sandbox.bash("TERM=xterm script -qefc '\(slow) | \(Sandbox.command) write a' shown")
        let shown = outcome.output
        #expect(shown.contains("a  ") && shown.contains(" KiB") && shown.hasSuffix("\r\u{1B}[K"), "\(shown)")
        #expect(try await atTerminal("(echo x; sleep 0.8) | ferry write c", "TERM=dumb") == "")
    }

    @Test("what is over soon shows no bar")
    func soon() async throws {
        let start = ContinuousClock.now
        let shown = try await atTerminal("echo x | ferry write b")
        // On a busy machine it may take long after all, and then the bar is gone in the end.
        let isSoon = ContinuousClock.now - start < .milliseconds(500)
        #expect(shown == "" || (!isSoon && shown.hasSuffix("\r\u{1B}[K")), "\(shown)")
    }
}
