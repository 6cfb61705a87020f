import FerryCloudLab
import Foundation
import Testing

/// The command at what another account shares on the emulated Dropbox of ``CloudLab``.
@Suite("A remote that shows what is shared at Dropbox")
struct DropboxSharedTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Makes the remotes `folders` and `files` of an account with which another one shares two folders and a file.
    private func withShared(_ body: (CloudLab, CloudStorage) async throws -> Void) async throws {
        var options = CloudLab.Options()
        options.clock = .running()
        try await withCloudLab(options) { lab in
            let dropbox = lab.dropbox
            let owner = dropbox.makeAccount(email: "owner@example.com")
            for path in ["/Plans/one.txt", "/Plans/sub/two.txt", "/Old/three.txt", "/note.txt"] {
                try owner.storage.write(Data("\(path)\n".utf8), to: path)
            }
            try dropbox.share("/Plans", of: owner, with: dropbox.account)
            try dropbox.share("/Old", of: owner, with: dropbox.account, access: .viewer)
            try dropbox.share("/note.txt", of: owner, with: dropbox.account, access: .viewer)
            for name in ["folders", "files"] {
                let addresses = CloudAccount.dropbox.options(lab).sorted { $0.key < $1.key }
                let words = addresses.map { "--option \($0.key)=\($0.value)" }.joined(separator: " ")
                let outcome = try await sandbox.bash(
                    """
                    ferry remote add \(name) --type dropbox --client-id app --option shared-\(name)=true \(words) </dev/null &&
                    ferry remote login \(name) --token-stdin
                    """,
                    input: dropbox.makeAccessToken()
                )
                try #require(outcome.code == 0, "\(outcome)")
            }
            try await body(lab, owner.storage)
        }
    }

    @Test("folders that are not mounted are listed, read, copied both ways, changed and undone")
    func folders() async throws {
        try await withShared { lab, owner in
            let outcome = try await sandbox.bash(
                """
                ferry ls folders:; ferry cat folders:Plans/sub/two.txt
                ferry cp -r folders: back 2>/dev/null; find back -type f | sort
                mkdir -p new/deep; for n in 1 2 3 4; do echo $n > new/$n; done; echo 5 > new/deep/5
                ferry cp -r new folders:Plans 2>/dev/null; ferry check --download new folders:Plans/new
                ferry rm folders:Plans/one.txt; ferry ls folders:Plans; ferry undo --any; ferry cat folders:Plans/one.txt
                """
            )
            #expect(
                outcome.lines == [
                    "Old", "Plans", "/Plans/sub/two.txt", "back/Old/three.txt", "back/Plans/one.txt",
                    "back/Plans/sub/two.txt", "5 files the same, 0 differences", "new", "sub",
                    "undone: rm folders:Plans/one.txt", "/Plans/one.txt",
                ],
                "\(outcome)"
            )
            #expect(owner.contents(at: "/Plans/new/deep/5") == Data("5\n".utf8))
            #expect(lab.dropbox.account.storage.entries.isEmpty)
        }
    }

    @Test("files that were shared one by one are listed, read and copied")
    func files() async throws {
        try await withShared { _, _ in
            let outcome = try await sandbox.bash(
                """
                ferry ls files:; ferry cat files:note.txt; ferry cp -r files: back 2>/dev/null; cat back/note.txt
                """
            )
            #expect(outcome.lines == ["note.txt", "/note.txt", "/note.txt"], "\(outcome)")
        }
    }

    @Test("writing is refused in words where the account may only look, and nothing has changed")
    func refusals() async throws {
        try await withShared { _, owner in
            let before = owner.entries
            let outcome = try await sandbox.bash(
                """
                echo x > x; for place in folders:Old/x folders:x files:note.txt; do
                    ferry cp --overwrite x $place; echo "code $?"
                done
                ferry rm folders:Old/three.txt; echo "code $?"; ferry mkdir folders:New; echo "code $?"
                """
            )
            #expect(outcome.lines == Array(repeating: "code 1", count: 5), "\(outcome)")
            #expect(
                outcome.errors.contains(
                    "folders:Old/x: the folder is shared with you for viewing only, ask its owner to let you edit"
                ),
                "\(outcome)"
            )
            #expect(outcome.errors.contains("what is shared with you can't be changed itself"), "\(outcome)")
            #expect(owner.entries == before)
        }
    }

    @Test("rclone's options for shared items are taken over, and a value that makes no sense is named")
    func imported() async throws {
        try sandbox.make(
            "rclone.conf",
            """
            [shared]
            type = dropbox
            client_id = app
            shared_folders = true
            [wrong]
            type = dropbox
            root_namespace = elsewhere
            [odd]
            type = dropbox
            shared_files = perhaps
            """
        )
        let outcome = try await sandbox.bash(
            "ferry remote import rclone.conf; ferry remote show shared | grep -c 'shared-folders.*true'"
        )
        #expect(outcome.output == "1\n", "\(outcome)")
        #expect(outcome.errors.contains("wrong: its root_namespace 'elsewhere' is not the number of a namespace"))
        #expect(outcome.errors.contains("shared-files=perhaps"), "\(outcome)")
    }
}
