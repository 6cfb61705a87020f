import FerryCloudLab
import Foundation
import Testing

@Suite("What the command has done at a cloud service can be taken back")
struct CloudUndoTests {
    /// A lab whose clock is this machine's, since undo looks for what was removed by the time.
    private static let options: CloudLab.Options = {
        var options = CloudLab.Options()
        options.clock = .running()
        return options
    }()

    private func content(_ storage: CloudStorage) -> [String] { storage.entries.map(\.path).sorted() }

    @Test("what was put into the trash comes back, folders with all below them", arguments: CloudAccount.all)
    func trash(account: CloudAccount) async throws {
        try await withCloudLab(Self.options) { lab in
            let sandbox = try Sandbox()
            try await account.add(lab, to: sandbox)
            let storage = account.storage(lab)
            for path in ["/file", "/Album/1", "/Album/2", "/Album/deep/3", "/Album/other/4"] {
                try storage.write(Data(path.utf8), to: path)
            }
            let before = content(storage)
            let put = try await sandbox.ferry("trash", "put", "cloud:file", "cloud:Album")
            #expect(put.code == 0 && put.errors.isEmpty, "\(put)")
            #expect(content(storage).isEmpty)
            let undone = try await sandbox.ferry("undo", "--any")
            #expect(undone.code == 0, "\(undone)")
            #expect(content(storage) == before)
            let text = try await sandbox.bash("ferry cat cloud:Album/deep/3; ferry cat cloud:file")
            #expect(text.output == "/Album/deep/3/file")
            let redone = try await sandbox.ferry("redo", "--any")
            #expect(redone.code == 0, "\(redone)")
            #expect(!content(storage).contains { $0 == "/file" || $0.hasPrefix("/Album") })
            let again = try await sandbox.ferry("undo", "--any")
            #expect(again.code == 0, "\(again)")
            #expect(content(storage).filter { !$0.hasPrefix("/.ferry-undo") } == before)
        }
    }

    @Test("a tree that was copied, taken away and copied again is whole", arguments: CloudAccount.all)
    func copiedTree(account: CloudAccount) async throws {
        try await withCloudLab(Self.options) { lab in
            let sandbox = try Sandbox()
            try await account.add(lab, to: sandbox)
            let made = try await sandbox.bash(
                "mkdir -p tree/a tree/b; echo 1 > tree/a/1; echo 2 > tree/b/2; ferry cp -r tree cloud:"
            )
            #expect(made.code == 0, "\(made)")
            for verb in ["undo", "redo"] {
                let turned = try await sandbox.ferry(verb, "--any")
                #expect(turned.code == 0, "\(verb): \(turned)")
            }
            #expect(try await sandbox.bash("ferry cat cloud:tree/a/1; ferry cat cloud:tree/b/2").output == "1\n2\n")
        }
    }

    @Test("a recycle bin that gives nothing back is said to, and the command is one that can't be undone")
    func business() async throws {
        var options = Self.options
        options.graph.driveType = .business
        try await withCloudLab(options) { lab in
            let sandbox = try Sandbox()
            let account = CloudAccount.onedrive
            try await account.add(lab, to: sandbox)
            try account.storage(lab).write(Data("a".utf8), to: "/a")
            let put = try await sandbox.ferry("trash", "put", "cloud:a")
            #expect(put.code == 0, "\(put)")
            #expect(put.errors.contains("/a can't be undone: its service takes it out of the trash only in a browser"))
            #expect(try await sandbox.ferry("history").output.contains("can't be undone  trash put cloud:a"))
            let undone = try await sandbox.ferry("undo", "--any")
            #expect(undone.code == 1 && undone.errors.contains("'trash put cloud:a', can't be undone"), "\(undone)")
        }
    }

    @Test("an undoing that the service breaks off names the item, and goes on from there", arguments: CloudAccount.all)
    func brokenOff(account: CloudAccount) async throws {
        try await withCloudLab(Self.options) { lab in
            let sandbox = try Sandbox()
            try await account.add(lab, to: sandbox)
            let storage = account.storage(lab)
            for path in ["/1", "/2", "/3", "/to/x"] { try storage.write(Data(path.utf8), to: path) }
            let before = content(storage)
            let moved = try await sandbox.ferry("mv", "cloud:1", "cloud:2", "cloud:3", "cloud:to")
            #expect(moved.code == 0, "\(moved)")
            let after = content(storage)
            #expect(after == ["/to", "/to/1", "/to/2", "/to/3", "/to/x"])
            let route = account.name == "dropbox" ? "files/move_v2" : "update"
            // Longer than anybody waits, so that no second is waited.
            let busy = Fault.tooManyRequests(retryAfter: .seconds(5_000))
            for verb in ["undo", "redo"] {
                lab.faults.add(busy, route: route, skipping: 1)
                let broken = try await sandbox.ferry(verb, "--any")
                lab.faults.removeAll()
                #expect(broken.code == 1, "\(broken)")
                #expect(broken.errors.contains("ferry: cloud:/"), "\(broken)")
                let state = "1 item is \(verb)ne and 2 not: 'ferry \(verb)"
                #expect(broken.errors.contains(state) && broken.errors.contains("goes on from there"), "\(broken)")
                let words = try #require(broken.errors.split(separator: "'").first { $0.hasPrefix("ferry \(verb)") })
                let done = try await sandbox.bash(String(words))
                #expect(done.code == 0, "\(done)")
                #expect(content(storage) == (verb == "undo" ? before : after))
            }
        }
    }
}
