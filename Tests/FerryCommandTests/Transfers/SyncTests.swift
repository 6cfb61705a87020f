import FerryTestServers
import Foundation
import Testing

@Suite("sync, and how transfers are told what to do")
struct SyncTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// A tree `a` of six files, a link and two folders.
    private func makeTree() throws {
        for number in 1...3 {
            try sandbox.make("a/\(number).txt", String(repeating: "x", count: number * 1_000))
            try sandbox.make("a/sub/deep/\(number).jpg", "\(number)")
        }
        try sandbox.makeLink("a/link", to: "1.txt")
    }

    private static let all = [
        "1.txt", "2.txt", "3.txt", "link", "sub", "sub/deep", "sub/deep/1.jpg", "sub/deep/2.jpg", "sub/deep/3.jpg",
    ]

    @Test("the target becomes what the source is, and a second run has nothing to do")
    func sync() async throws {
        try makeTree()
        let first = try await sandbox.ferry("sync", "a", "b")
        #expect(first.output == "7 copied (5.9 KiB)\n" && first.errors == "" && first.code == 0)
        #expect(try sandbox.names("b") == Self.all && sandbox.destination("b/link") == "1.txt")
        #expect(try await sandbox.ferry("sync", "a/", "b/").output == "0 copied (0 bytes), 7 left as they are\n")
        try sandbox.make("a/1.txt", "changed")
        try sandbox.make("b/extra/x", "mine")
        try sandbox.make("b/more", "mine")
        let again = try await sandbox.ferry("sync", "a", "b")
        #expect(again.output == "1 copied (7 bytes), 2 removed, 6 left as they are\n", "\(again)")
        #expect(try sandbox.names("b") == Self.all && sandbox.contents("b/1.txt") == "changed")
    }

    @Test("a dry run says what would be done, and changes nothing", arguments: ["-n", "--dry-run"])
    func dryRun(_ option: String) async throws {
        try makeTree()
        try sandbox.make("b/1.txt", "old")
        try sandbox.make("b/extra", "mine")
        let before = try sandbox.names()
        let outcome = try await sandbox.ferry("sync", option, "a", "b")
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
        #expect(
            outcome.lines.contains("update  1.txt  (other size)")
                && outcome.lines.contains("add  2.txt  (missing at target)")
        )
        #expect(outcome.lines.contains("remove  extra  (missing at source)"))
        #expect(outcome.lines.last == "would be: 7 copied (5.9 KiB), 1 removed")
        #expect(try sandbox.names() == before && sandbox.contents("b/1.txt") == "old")
        let copy = try await sandbox.ferry("cp", "-r", option, "a", "c")
        #expect(copy.lines.contains("add  sub/deep/1.jpg  (missing at target)") && copy.code == 0, "\(copy)")
        let file = try await sandbox.ferry("cp", option, "a/1.txt", "d")
        #expect(file.lines == ["add  d  (missing at target)"] && file.code == 0, "\(file)")
        #expect(try sandbox.names() == before)
    }

    @Test("more than --max-delete is not removed: exit code 1, and the count is said")
    func maxDelete() async throws {
        try sandbox.make("a/keep", "1")
        for number in 0..<5 { try sandbox.make("b/\(number)", "\(number)") }
        let half = try await sandbox.ferry("sync", "a", "b")
        #expect(half.code == 1 && half.errors.split(separator: "\n").count == 1)
        #expect(half.errors.hasPrefix("ferry: b: nothing is removed: 5 of 5 items would be removed"), "\(half)")
        #expect(half.errors.hasSuffix(", look at it with --dry-run, allow more with --max-delete\n"), "\(half)")
        let dry = try await sandbox.ferry("sync", "-n", "a", "b")
        #expect(dry.lines.filter { $0.hasSuffix("(too many removals)") }.count == 5, "\(dry)")
        #expect(dry.lines.contains("skip  3  (too many removals)") && dry.code == 1, "\(dry)")
        #expect(try sandbox.names("b") == ["0", "1", "2", "3", "4", "keep"])
        let few = try await sandbox.ferry("sync", "--max-delete", "4", "a", "b")
        #expect(few.code == 1 && few.errors.contains("5 of 6 items would be removed, and 4 may be"), "\(few)")
        let part = try await sandbox.ferry("sync", "--max-delete", "83%", "a", "b")
        #expect(part.code == 1, "\(part)")
        #expect(try sandbox.names("b").count == 6)
        #expect(try await sandbox.ferry("sync", "--max-delete", "5", "a", "b").code == 0)
        #expect(try sandbox.names("b") == ["keep"])
        for limit in ["-1", "x", "101%", "%"] {
            #expect(try await sandbox.ferry("sync", "--max-delete=\(limit)", "a", "b").code == 64, "\(limit)")
        }
    }

    @Test("what is replaced or removed goes to the backup folder")
    func backup() async throws {
        try sandbox.make("a/x", "new content")
        try sandbox.make("a/y", "y")
        try sandbox.make("b/x", "old")
        try sandbox.make("b/gone/z", "z")
        let outcome = try await sandbox.ferry("sync", "--backup-dir", "kept", "--max-delete", "2", "a", "b")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(try sandbox.names("b") == ["x", "y"] && sandbox.contents("b/x") == "new content")
        #expect(sandbox.contents("kept/x") == "old" && sandbox.contents("kept/gone/z") == "z")
        let inside = try await sandbox.ferry("sync", "--backup-dir", "b/kept", "a", "b")
        #expect(inside.code == 1 && inside.errors.hasPrefix("ferry: "), "\(inside)")
        #expect(try await sandbox.ferry("sync", "--backup-dir", "memory:kept", "a", "b").code == 64)
    }

    @Test(
        "folders that can't be listed are told, and make an exit code of 1: of a dry run, a plan, and what a plan does"
    )
    func unlisted() async throws {
        let served = try await ServedSandbox(.apache)
        try served.place.makeFolder("d/secret")
        try served.place.write(Data("one".utf8), to: "d/1")
        // The server may not look into it.
        let secret = served.place.path("d/secret")
        #expect(chmod(secret, 0) == 0 && chown(secret, getuid(), getgid()) == 0)
        defer { chmod(secret, 0o755) }
        for options in [["-n"], ["--plan", "plan.json"], ["--run-plan", "plan.json"], []] {
            let outcome = try await served.sandbox.ferry(
                ["sync"] + options + ["w:d", "to"],
                password: served.server.password
            )
            #expect(outcome.code == 1, "\(options): \(outcome)")
            #expect(outcome.errors.contains("ferry: w:d/secret: "), "\(options): \(outcome)")
        }
        #expect(served.sandbox.contents("to/1") == "one")
    }

    @Test("what is replaced of several sources doesn't meet in the backup folder")
    func backupOfSeveral() async throws {
        for name in ["a", "b"] {
            try sandbox.make("\(name)/x", "new \(name)")
            try sandbox.make("to/\(name)/x", "old \(name)")
        }
        try sandbox.make("x", "new")
        try sandbox.make("to/x", "old")
        let outcome = try await sandbox.ferry("cp", "-r", "-f", "--backup-dir", "kept", "a", "b", "x", "to")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(sandbox.contents("to/a/x") == "new a" && sandbox.contents("to/b/x") == "new b")
        #expect(sandbox.contents("kept/a/x") == "old a" && sandbox.contents("kept/b/x") == "old b")
        #expect(sandbox.contents("to/x") == "new" && sandbox.contents("kept/x") == "old")
        // One file, to a name of its own.
        try sandbox.make("one", "newer")
        let single = try await sandbox.ferry("cp", "-f", "--backup-dir", "kept", "one", "to/x")
        #expect(single.code == 0, "\(single)")
        #expect(sandbox.contents("to/x") == "newer" && sandbox.contents("kept/x") == "new")
    }

    @Test("what was renamed is moved there, and not copied again")
    func renames() async throws {
        try sandbox.make("a/old name", String(repeating: "z", count: 100_000))
        try sandbox.make("a/other", "o")
        #expect(try await sandbox.ferry("sync", "a", "b").code == 0)
        #expect(try await sandbox.bash("mv 'a/old name' 'a/new name'").code == 0)
        let outcome = try await sandbox.ferry("sync", "--track-renames", "a", "b")
        #expect(outcome.output == "0 copied (0 bytes), 1 renamed, 1 left as they are\n", "\(outcome)")
        #expect(try sandbox.names("b") == ["new name", "other"])
    }

    @Test("what counts as the same: sizes, checksums, dates, or nothing")
    func comparisons() async throws {
        let script = "mkdir a b; echo one > a/x; echo two > b/x; touch -d 2020-01-01 a/x; touch -d 2021-01-01 b/x; "
        func copied(_ options: String) async throws -> String {
            let outcome = try await sandbox.bash("rm -rf a b; " + script + "ferry sync \(options) a b")
            #expect(outcome.code == 0, "\(outcome)")
            return outcome.output.split(separator: " ").first.map(String.init) ?? ""
        }
        #expect(try await copied("") == "1")
        #expect(try await copied("--size-only") == "0")
        #expect(try await copied("--update") == "0")
        #expect(try await copied("--checksum") == "1")
        #expect(try await copied("--ignore-times") == "1")
        #expect(try await sandbox.ferry("sync", "--size-only", "--checksum", "a", "b").code == 64)
    }

    @Test(
        "filters say what it is about; what they leave out is neither copied nor removed",
        arguments: [
            ("--exclude *.jpg", ["1.txt", "2.txt", "3.txt", "link", "own.jpg", "sub", "sub/deep"]),
            ("--exclude /sub/", ["1.txt", "2.txt", "3.txt", "link"]),
            ("--include *.jpg", ["own", "sub", "sub/deep", "sub/deep/1.jpg", "sub/deep/2.jpg", "sub/deep/3.jpg"]),
            ("--exclude *.txt --include 2.txt --exclude /sub", ["2.txt", "link"]),
            ("--filter-from list", ["1.txt", "3.txt", "link", "sub", "sub/deep"]),
            ("--min-size 2K --exclude /sub/", ["3.txt", "link"]),
            ("--max-size 1000 --exclude /sub/", ["1.txt", "link"]),
            ("--min-age 2025-01-01 --exclude /sub", ["1.txt", "link"]),
            ("--max-age 1d --exclude /sub", ["2.txt", "3.txt", "link"]),
        ]
    )
    func filters(_ options: String, _ expected: [String]) async throws {
        try makeTree()
        try sandbox.make("list", "# a comment\n\n*.jpg\n2.txt\n")
        if expected.contains("own.jpg") { try sandbox.make("b/own.jpg", "mine") }
        if expected.contains("own") { try sandbox.make("b/own", "mine") }
        let outcome = try await sandbox.bash("set -f; touch -d 2020-01-01 a/1.txt; ferry sync \(options) a b")
        #expect(outcome.code == 0, "\(outcome)")
        let names = try sandbox.names("b").filter { $0 != "link" }
        #expect(names == expected.filter { $0 != "link" }, "\(outcome)")
    }

    @Test("a query filters files")
    func query() async throws {
        try makeTree()
        let query = "name LIKE '*.txt' AND fileSize >= 2000"
        #expect(try await sandbox.ferry("sync", "--where", query, "a", "b").code == 0)
        #expect(try sandbox.names("b") == ["2.txt", "3.txt", "sub", "sub/deep"])
        let wrong = try await sandbox.ferry("sync", "--where", "name =", "a", "b")
        let gone = try await sandbox.ferry("sync", "--filter-from", "gone", "a", "b")
        #expect(gone.errors.hasPrefix("ferry: gone: no such file") && gone.code == 1, "\(gone)")
        #expect(wrong.code == 64 && wrong.errors.contains("malformed query") && wrong.errors.contains("^"), "\(wrong)")
    }

    @Test("a plan is kept, and run later; of other folders it is refused")
    func plans() async throws {
        try makeTree()
        let made = try await sandbox.ferry("sync", "--plan", "plan.json", "a", "b")
        #expect(made.code == 0 && made.output.hasPrefix("would be: 7 copied"), "\(made)")
        #expect(try !sandbox.names().contains("b"))
        let other = try await sandbox.ferry("sync", "--run-plan", "plan.json", "a", "c")
        let words = "is a plan from \(sandbox.path)/a to \(sandbox.path)/b, name these"
        #expect(other.errors == "ferry: plan.json: \(words)\n" && other.code == 1)
        let done = try await sandbox.ferry("sync", "--run-plan", "plan.json", "a", "b")
        #expect(done.code == 0 && done.output.hasPrefix("7 copied"), "\(done)")
        #expect(try sandbox.names("b") == Self.all)
        try sandbox.make("no.json", "{}")
        let none = try await sandbox.ferry("sync", "--run-plan", "no.json", "a", "b")
        #expect(none.errors == "ferry: no.json: is no plan, make one with --plan\n" && none.code == 1)
    }

    @Test("JSON tells what begins, is done and fails, and sums it up")
    func json() async throws {
        try makeTree()
        _ = try await sandbox.bash("mkfifo a/pipe")
        let outcome = try await sandbox.ferry("sync", "--json", "a", "memory:b")
        #expect(outcome.code == 1)
        let objects = try outcome.objects
        func all(_ event: String) -> [[String: Any]] { objects.filter { $0["event"] as? String == event } }
        #expect(all("done").filter { $0["action"] as? String == "add" }.count == 7)
        let big = try #require(all("began").first { $0["path"] as? String == "3.txt" })
        #expect(big["bytes"] as? Int == 3_000 && big["reason"] as? String == "missing")
        let failed = try #require(all("failed").first)
        #expect(failed["path"] as? String == "pipe" && failed["reason"] as? String == "special")
        let summary = try #require(objects.last)
        #expect(summary["event"] as? String == "summary" && summary["isComplete"] as? Bool == false)
        #expect((summary["counts"] as? [String: Int])?["add"] == 7 && summary["bytes"] as? Int == 6_003)
        #expect((summary["failures"] as? [[String: Any]])?.first?["error"] as? String == failed["error"] as? String)
        #expect(summary["seconds"] is Double && summary["isDryRun"] as? Bool == false)
        #expect(outcome.errors.hasPrefix("ferry: memory:b/pipe: ") && outcome.errors.split(separator: "\n").count == 1)
        let dry = try await sandbox.ferry("cp", "-r", "--json", "-n", "a/sub", "c").objects
        #expect(dry.contains { $0["event"] as? String == "planned" && $0["path"] as? String == "deep/1.jpg" })
        #expect(dry.last?["isDryRun"] as? Bool == true)
    }

    @Test("single failures don't stop the rest, unless that is wanted; they are told at the end")
    func failures() async throws {
        try makeTree()
        _ = try await sandbox.bash("mkfifo a/p1 a/p2")
        let outcome = try await sandbox.ferry("sync", "a", "memory:b")
        #expect(outcome.code == 1 && outcome.output == "7 copied (5.9 KiB), 2 failed\n", "\(outcome)")
        let told = outcome.errors.split(separator: "\n").map { $0.prefix(18) }
        #expect(told.sorted() == ["ferry: memory:b/p1", "ferry: memory:b/p2"])
        let fast = try await sandbox.ferry("sync", "--fail-fast", "a", "memory:c")
        #expect(fast.code == 1 && fast.errors.split(separator: "\n").count == 1, "\(fast)")
    }

    @Test("an order is kept, one file at a time")
    func order() async throws {
        try makeTree()
        for (order, first) in [("size,descending", "3.txt"), ("name", "1.txt"), ("size", "sub/deep/")] {
            let options = ["sync", "--json", "--transfers", "1", "--order-by", order, "--exclude", "link", "a", "b"]
            let script = "rm -rf b; ferry " + options.map { "'\($0)'" }.joined(separator: " ")
            let objects = try await sandbox.bash(script).objects
            let path = objects.first { $0["event"] as? String == "began" && $0["action"] as? String == "add" }?["path"]
            #expect((path as? String)?.hasPrefix(first) == true, "\(order): \(objects)")
        }
        #expect(try await sandbox.ferry("sync", "--order-by", "colour", "a", "b").code == 64)
        #expect(try await sandbox.ferry("sync", "--transfers", "0", "a", "b").code == 64)
    }

    @Test("folders are demanded, and a source that is missing removes nothing")
    func places() async throws {
        try sandbox.make("file", "1")
        try sandbox.make("b/x", "1")
        let missing = try await sandbox.ferry("sync", "gone", "b")
        #expect(missing.code == 1 && missing.errors.hasPrefix("ferry: gone: no such file or folder"), "\(missing)")
        #expect(try await sandbox.ferry("sync", "file", "b").errors.hasPrefix("ferry: file: not a folder"))
        #expect(try await sandbox.ferry("sync", "b", "file").errors.hasPrefix("ferry: file: not a folder"))
        #expect(try await sandbox.ferry("sync", "b", "b/c").code == 1)
        #expect(try await sandbox.ferry("sync", "b", "b").code == 1)
        #expect(try sandbox.names() == ["b", "b/x", "file"])
    }

    @Test("pipes are copied as by cp -r, and that hard links become separate files is said")
    func specialItems() async throws {
        let outcome = try await sandbox.bash(
            """
            mkdir -p a/new a/old b/old; mkfifo a/pipe a/new/pipe a/old/pipe; echo 1 > a/old/x; ln a/old/x a/old/y
            echo 2 > a/new/x; ln a/new/x a/new/y
            ferry sync a b; echo "code $?"; ferry sync a b; echo "code $?"
            find b -type p | sort; find b -links +1 -type f | sort; cat b/old/y
            ferry mv --exclude none a c; echo "code $?"
            """
        )
        #expect(
            outcome.lines.contains("code 0") && outcome.lines.dropFirst(2).first?.contains("0 copied") == true,
            "\(outcome)"
        )
        let found = outcome.lines.filter { $0.hasPrefix("b/") || $0 == "1" }
        #expect(found == ["b/new/pipe", "b/old/pipe", "b/pipe", "b/new/x", "b/new/y", "1"], "\(outcome)")
        #expect(outcome.errors.contains("ferry: b: note: hard links of 2 items are not kept there\n"), "\(outcome)")
    }
}
