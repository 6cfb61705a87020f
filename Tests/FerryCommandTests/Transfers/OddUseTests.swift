import FerryTestServers
import Foundation
import Testing

@Suite("Odd uses of transfers")
struct OddUseTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test(
        "a folder is not put into itself, whatever link leads there",
        arguments: ["sync a link/x", "sync a link/x/y", "cp -r --transfers 2 a link/x", "sync link/sub a/sub/y"]
    )
    func intoItself(_ line: String) async throws {
        try sandbox.make("a/sub/1", "1")
        try sandbox.makeLink("link", to: "a")
        let outcome = try await sandbox.bash("ferry \(line)")
        #expect(outcome.code == 1 && outcome.errors.contains(": a folder can't be put into itself, "), "\(outcome)")
        #expect(try sandbox.names() == ["a", "a/sub", "a/sub/1", "link"])
    }

    @Test("what would be lost is not put where it is lost next time, whatever link leads there")
    func backupByLink() async throws {
        try sandbox.make("a/1", "new one")
        try sandbox.make("b/1", "old")
        try sandbox.makeLink("link", to: "b")
        try sandbox.make("file", "1")
        for (place, words) in [("link/kept", "can't be put into itself"), ("link", "itself"), ("file", "not a folder")]
        {
            let outcome = try await sandbox.ferry("sync", "--backup-dir", place, "a", "b")
            #expect(outcome.code == 1 && outcome.errors.contains(words), "\(outcome)")
        }
        #expect(sandbox.contents("b/1") == "old")
        #expect(try sandbox.names("b") == ["1"])
    }

    @Test("empty files have no bytes", arguments: ["sync a b", "cp -r --transfers 1 --json a b"])
    func emptyFiles(_ line: String) async throws {
        for name in ["1", "2", "sub/3"] { try sandbox.make("a/" + name) }
        let outcome = try await sandbox.bash("ferry \(line)")
        if line.contains("--json") {
            #expect(try outcome.objects.last?["bytes"] as? Int == 0, "\(outcome)")
        } else {
            #expect(outcome.output == "3 copied (0 bytes)\n", "\(outcome)")
        }
        #expect(try sandbox.names("b") == ["1", "2", "sub", "sub/3"])
    }

    @Test("a dry run prints a line for each item, whatever its name")
    func lineBreaks() async throws {
        let outcome = try await sandbox.bash(#"mkdir a; touch $'a/x\ny' $'a/\e[31m'; ferry sync -n a b"#)
        #expect(
            outcome.lines == [
                "make folder  ./  (missing at target)", #"add  \u{1b}[31m  (missing at target)"#,
                #"add  x\ny  (missing at target)"#, "would be: 2 copied (0 bytes)",
            ],
            "\(outcome)"
        )
    }

    @Test("a folder that is missing above the target is not made, and it is said how to")
    func missingParents() async throws {
        try sandbox.make("a/1", "1")
        for line in ["sync a x/y/z", "cp -r --transfers 2 a x/y/z", "sync a memory:x/y/z"] {
            let outcome = try await sandbox.bash("ferry \(line)")
            #expect(
                outcome.errors.hasSuffix("x/y: no such file or folder, make it with 'ferry mkdir -p'\n"),
                "\(outcome)"
            )
            #expect(outcome.code == 1)
        }
        #expect(try sandbox.names() == ["a", "a/1"])
    }

    @Test("a server that can't be reached is what is told about, not the source")
    func unreachable() async throws {
        try sandbox.make("a/1", "1")
        for line in ["sync a dav://127.0.0.1:1/x", "sync dav://127.0.0.1:1/x a", "cp a/1 dav://127.0.0.1:1/x"] {
            let outcome = try await sandbox.bash("ferry \(line)")
            #expect(outcome.errors == "ferry: dav://127.0.0.1:1/x: there is no connection to the server\n", "\(line)")
        }
    }

    @Test("an output that is closed is an error, and what is printed gets into no file")
    func closedOutput() async throws {
        let outcome = try await sandbox.bash(
            """
            mkdir a; for i in $(seq 300); do echo $i > a/$i; done
            "$FERRY" sync --json --transfers 8 a b >&-; echo $?
            "$FERRY" sync a b >&-; echo $?
            diff -r a b && "$FERRY" ls a 2>&- | wc -l
            """
        )
        #expect(outcome.output == "1\n1\n300\n", "\(outcome)")
        let errors = outcome.errors.split(separator: "\n")
        #expect(errors.count { $0.hasPrefix("ferry: standard output: ") } == 2, "\(errors)")
        // Files that were not copied yet can be copied by the same command.
        #expect(errors.dropFirst(errors.count - 2).allSatisfy { $0.hasPrefix("ferry: standard output: ") }, "\(errors)")
        #expect(
            errors.dropLast(2).allSatisfy { $0.hasPrefix("ferry: interrupted; the same command goes on") },
            "\(errors)"
        )
    }

    @Test("where there is no terminal, a line says every ten seconds how far it is")
    func logLines() async throws {
        let start = ContinuousClock.now
        let outcome = try await sandbox.bash(
            """
            head -c 1500000 /dev/zero > big
            "$FERRY" cp --bwlimit 100K big copy
            """
        )
        let most = Int((ContinuousClock.now - start) / .seconds(10))
        let lines = outcome.log.split(separator: "\n")
        #expect(outcome.code == 0 && !lines.isEmpty && lines.count <= most, "\(outcome)")
        let form = /big  [0-9.]+ (bytes|[KM]iB) of 1\.4 MiB  0 of 1 file(  [0-9.]+ (bytes|KiB)\/s)?(  \d+:\d\d left)?/
        #expect(lines.allSatisfy { $0.wholeMatch(of: form) != nil }, "\(outcome)")
    }

    @Test("events that nobody reads any more end the transfer, as a signal would")
    func readerGone() async throws {
        let served = try await ServedSandbox(.apache)
        let outcome = try await served.sandbox.bash(
            """
            mkdir d; for i in $(seq 40); do head -c 200000 /dev/zero > d/$i; done
            "$FERRY" sync --json --bwlimit 200K d w:d | head -n 1 | wc -l; echo "${PIPESTATUS[0]}"
            """
        )
        #expect(outcome.output == "1\n141\n", "\(outcome)")
        // It may have ended before it made the folder.
        let names = try served.place.names().filter { $0.hasPrefix("d/") }
        #expect(names.count < 40 && names.allSatisfy { !$0.hasPrefix("d/.") }, "\(names)")
    }

    @Test("events that nobody takes stop the transfer without holding up its threads, and Ctrl-C ends it")
    func readerAsleep() async throws {
        let outcome = try await sandbox.bash(
            """
            set -m; mkdir a b; for i in $(seq 9000); do echo > a/$i; done; mkfifo pipe; exec 3<>pipe
            "$FERRY" sync --json a b >&3 & pid=$!
            # The events of so many files are more than the pipe takes.
            for i in $(seq 3000); do [ "$(ls b | wc -l)" -ge 1000 ] && break; sleep 0.1; done
            kill -INT $pid; wait $pid; echo $?
            [ "$(ls b | wc -l)" -ge 1000 ] && [ "$(ls b | wc -l)" -lt 9000 ]; echo $?
            """
        )
        #expect(outcome.output == "130\n0\n", "\(outcome)")
    }
}
