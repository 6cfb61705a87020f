import FerryTestServers
import Foundation
import Testing

@Suite("check")
struct CheckTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("what differs or is on one side only is told, and nothing is changed")
    func differences() async throws {
        _ = try await sandbox.bash(
            "mkdir -p a/d b/d b/more; echo 1 > a/x; cp -a a/x b/x; echo 22 > a/d/y; echo 2 > b/d/y; echo 3 > a/z; echo 4 > b/more/q"
        )
        let before = try sandbox.names()
        let outcome = try await sandbox.ferry("check", "a", "b")
        #expect(
            outcome.lines == [
                "differs  d/y  (other size)", "missing at source  more", "missing at target  z",
                "1 file the same, 3 differences",
            ],
            "\(outcome)"
        )
        #expect(outcome.code == 1 && outcome.errors == "")
        #expect(try sandbox.names() == before)
        let objects = try await sandbox.ferry("check", "--json", "a", "b").objects
        #expect(objects.map { $0["event"] as? String } == ["differs", "extra", "missing", "summary"])
        #expect(objects.last?["isSame"] as? Bool == false && objects.last?["same"] as? Int == 1)
        let same = try await sandbox.ferry("check", "a/d", "a/d/.")
        #expect(same.code == 1, "\(same)")
        _ = try await sandbox.bash("rm -rf b; cp -a a b")
        let equal = try await sandbox.ferry("check", "a", "b")
        #expect(equal.output == "3 files the same, 0 differences\n" && equal.code == 0, "\(equal)")
        #expect(try await sandbox.ferry("check", "a", "gone").code == 1)
    }

    @Test("every byte is compared with --download, on a server too")
    func contents() async throws {
        let served = try await ServedSandbox(.apache)
        let sandbox = served.sandbox
        let made = try await sandbox.bash(
            "mkdir a; head -c 300000 /dev/urandom > a/x; echo 1 > a/y; ferry cp -r a w: && ferry check --download a w:a"
        )
        #expect(made.code == 0 && made.output == "2 files the same, 0 differences\n", "\(made)")
        let changed = try await sandbox.bash(
            "printf X | dd of=a/x bs=1 seek=299999 conv=notrunc 2>/dev/null; touch -d 2020-01-01 a/x; ferry check --download a w:a"
        )
        #expect(changed.code == 1 && changed.lines.first == "differs  x  (other contents)", "\(changed)")
        #expect(try await sandbox.ferry("check", "--size-only", "a", "w:a").code == 0)
    }

    @Test("where only sizes can be compared, sync and check say so")
    func sizesOnly() async throws {
        let served = try await ServedSandbox(.apache)
        let outcome = try await served.sandbox.bash(
            """
            export FERRY_JOURNAL=off
            mkdir a; echo one > a/x; echo two > a/y; touch -d 2020-01-02 a/*; ferry sync a w:a > /dev/null 2>&1
            ferry sync a w:a; echo "code $?"
            echo owt > a/y; touch -d 2020-01-02 a/y; ferry check a w:a; echo "code $?"
            ferry check --json a w:a | jq -c '[.same, .bySizeOnly]'
            ferry check --download a w:a; echo "code $?"; ferry sync --ignore-times a w:a > /dev/null; ferry cat w:a/y
            mkdir b; ferry sync b w:b; ferry sync a c > /dev/null; ferry sync a c; ferry check a c
            """
        )
        #expect(
            outcome.lines == [
                "0 copied (0 bytes), 2 left as they are", "code 0", "2 files the same size, 0 differences", "code 0",
                "[2,true]", "differs  y  (other contents)", "1 file the same, 1 difference", "code 1", "owt",
                "0 copied (0 bytes)", "0 copied (0 bytes), 2 left as they are", "2 files the same, 0 differences",
            ],
            "\(outcome)"
        )
        let note = "note: compared by size only: edits that keep the size are not seen; use"
        let notes = outcome.errors.split(separator: "\n").filter { $0.contains("by size only") }
        #expect(
            notes == [
                "ferry: w:a: \(note) --checksum or --ignore-times", "ferry: w:a: \(note) --download",
            ],
            "\(outcome)"
        )
    }

    @Test("what was written to a server that keeps no dates is remembered, so that edits which keep the size are seen")
    func remembered() async throws {
        let served = try await ServedSandbox(.apache)
        let first = try await served.sandbox.bash(
            """
            mkdir a; for n in x y z; do echo $n > a/$n; done; touch -d 2020-01-02 a/*
            ferry sync a w:a > /dev/null; ferry sync a w:a; ferry check a w:a
            echo Y > a/y; touch -d 2019-05-05 a/y; ferry check a w:a; ferry sync --dry-run a w:a
            ferry sync a w:a > /dev/null; ferry cat w:a/y; ferry sync a w:a
            """
        )
        #expect(
            first.lines == [
                "0 copied (0 bytes), 3 left as they are", "3 files the same, 0 differences",
                "differs  y  (other date)", "2 files the same, 1 difference", "update  y  (other date)",
                "would be: 1 copied (2 bytes), 2 left as they are", "Y", "0 copied (0 bytes), 3 left as they are",
            ],
            "\(first)"
        )
        #expect(!first.errors.contains("by size only"), "\(first)")
        // Undoing restores content that was not written last; where the server's dates can't tell, that is reported.
        let undone = try await served.sandbox.bash(
            """
            echo z > a/y; touch -d 2018-05-05 a/y; sleep 1.1; ferry sync a w:a > /dev/null 2>&1; ferry undo --any > /dev/null
            ferry cat w:a/y; ferry sync a w:a > /dev/null; ferry cat w:a/y
            """
        )
        let isSaid = undone.errors.contains("note: compared by size only")
        #expect(undone.lines == (isSaid ? ["Y", "Y"] : ["Y", "z"]), "\(undone)")
        // Somebody else writes to the server, and what this machine has never written is compared by its size.
        try served.place.write(Data("W\n".utf8), to: "a/x")
        let later = Date(timeIntervalSinceNow: 3_600)
        try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: served.place.path("a/x"))
        try served.place.write(Data("v\n".utf8), to: "a/v")
        let second = try await served.sandbox.bash(
            "echo w > a/v; touch -d 2019-05-05 a/v; ferry sync a w:a; ferry cat w:a/x"
        )
        #expect(second.lines == ["1 copied (2 bytes), 3 left as they are", "x"], "\(second)")
        #expect(second.errors.contains("note: compared by size only"), "\(second)")
    }
}
