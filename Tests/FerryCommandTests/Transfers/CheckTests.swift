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
}
