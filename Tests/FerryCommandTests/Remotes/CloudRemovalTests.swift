import FerryCloudLab
import Foundation
import Testing

@Suite("Items at a cloud service that are removed for good")
struct CloudRemovalTests {
    @Test("go together, and one that is missing keeps no other", arguments: CloudAccount.all)
    func together(account: CloudAccount) async throws {
        try await withCloudLab { lab in
            let sandbox = try Sandbox()
            try await account.add(lab, to: sandbox)
            let storage = account.storage(lab)
            for number in 0..<25 { try storage.write(Data("\(number)".utf8), to: "/\(number).txt") }
            try storage.write(Data("stays".utf8), to: "/stays.txt")
            lab.journal.removeAll()
            let locations = (0..<25).map { "cloud:\($0).txt" } + ["cloud:gone.txt"]
            let removed = try await sandbox.bash("ferry rm --permanent \(locations.joined(separator: " "))")
            #expect(removed.code == 1 && removed.errors.contains("gone.txt"), "\(removed)")
            #expect(removed.errors.split(separator: "\n").count == 1, "\(removed)")
            #expect(storage.entries.map(\.path) == ["/stays.txt"])
            #expect(lab.journal.exchanges(route: "files/delete_batch").count == (account.name == "dropbox" ? 1 : 0))
            #expect(lab.journal.exchanges(route: "$batch").count == (account.name == "dropbox" ? 0 : 2))
            #expect(lab.journal.exchanges.allSatisfy { !["delete", "files/delete_v2"].contains($0.route) })
            // It is the last command, and one that can't be undone.
            let undone = try await sandbox.ferry("undo", "--any")
            #expect(undone.code == 1, "\(undone)")
        }
    }

    @Test("where the service doesn't say how it ended, they may be lost, too")
    func inDoubt() async throws {
        try await withCloudLab { lab in
            let sandbox = try Sandbox()
            try await CloudAccount.dropbox.add(lab, to: sandbox)
            let storage = lab.dropbox.account.storage
            for name in ["a", "b", "c", "d"] { try storage.write(Data(name.utf8), to: "/\(name).txt") }
            #expect(try await sandbox.ferry("mkdir", "cloud:folder").code == 0)
            // As many looks are needed before the removal as for two other items.
            lab.journal.removeAll()
            #expect(try await sandbox.ferry("rm", "--permanent", "cloud:c.txt", "cloud:d.txt").code == 0)
            let looks = lab.journal.exchanges(route: "files/get_metadata").count
            #expect(try await sandbox.ferry("mkdir", "cloud:last").code == 0)
            let refusal = Fault.answer(status: 403, contentType: "text/plain", body: "not now")
            lab.faults.add(refusal, route: "files/delete_batch/check")
            lab.faults.add(refusal, route: "files/get_metadata", skipping: looks, count: 100)
            let removed = try await sandbox.ferry("rm", "--permanent", "cloud:a.txt", "cloud:b.txt")
            #expect(removed.code == 1 && removed.errors.contains("does not say how it ended"), "\(removed)")
            lab.faults.removeAll()
            let undone = try await sandbox.ferry("undo", "--any")
            #expect(undone.code == 1, "\(undone)")
            #expect(storage.entry(at: "/last") != nil)
        }
    }

    @Test("interrupted while they go, they may be lost: no command from before is undone in their place")
    func interrupted() async throws {
        try await withCloudLab { lab in
            let sandbox = try Sandbox()
            try await CloudAccount.dropbox.add(lab, to: sandbox)
            let storage = lab.dropbox.account.storage
            for name in ["a", "b"] { try storage.write(Data(name.utf8), to: "/\(name).txt") }
            lab.faults.add(.slowJob(polls: 1_000_000), route: "files/delete_batch")
            async let run = sandbox.bash(
                """
                ferry mkdir cloud:folder; set -m; "$FERRY" rm --permanent cloud:a.txt cloud:b.txt & pid=$!
                until [ -e asked ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
                kill -INT $pid; wait $pid; echo "code $?"; ferry undo --any; echo "code $?"
                """
            )
            let deadline = ContinuousClock.now + .seconds(300)
            while lab.journal.exchanges(route: "files/delete_batch/check").isEmpty {
                guard ContinuousClock.now < deadline else {
                    Issue.record("within 300 s, nobody asked for the state of the removal")
                    break
                }
                try await Task.sleep(for: .milliseconds(5))
            }
            try sandbox.make("asked")
            let outcome = try await run
            #expect(outcome.lines == ["code 130", "code 1"], "\(outcome)")
            #expect(storage.entry(at: "/folder") != nil)
        }
    }
}
