import FerryCloudLab
import FerryCore
import Foundation
import Testing

@testable import FerryDropbox

@Suite("Items that others share with an account, on the lab")
struct DropboxSharedItemsTests {
    /// Runs a test with what another account shares: a folder to edit, a folder to look at, and two files of one name.
    private func withShared(
        _ body: (DropboxSharedFileProvider, CloudStorage, CloudLab) async throws -> Void
    ) async throws {
        try await withAccount {
            $0.descriptions = CloudDescriptions.folder()
        } perform: { account, lab in
            let dropbox = lab.dropbox
            let owner = dropbox.makeAccount(email: "owner@example.com")
            for path in ["/Plans/Sub/a.txt", "/Old/b.txt", "/note.txt", "/x/Note.txt"] {
                try owner.storage.write(Data(path.utf8), to: path, modified: Date(timeIntervalSince1970: 1_600_000_000))
            }
            try dropbox.share("/Plans", of: owner, with: dropbox.account)
            try dropbox.share("/Old", of: owner, with: dropbox.account, access: .viewer)
            for file in ["/note.txt", "/x/Note.txt"] {
                try dropbox.share(file, of: owner, with: dropbox.account, access: .viewer)
            }
            try await body(DropboxSharedFileProvider(account, folders: true, files: true), owner.storage, lab)
            #expect(lab.findings == [])
            // Nothing was mounted.
            #expect(dropbox.account.storage.entries.isEmpty)
        }
    }

    @Test("the root lists folders and files, those of one name with their identifiers, and what may be changed")
    func root() async throws {
        try await withShared { shared, _, _ in
            let items = try await shared.contentsOfDirectory(path: .root)
            let ids = try await shared.account.sharedFiles().map(\.id)
            #expect(items.map(\.name) == ["Plans", "Old", "note (\(ids[0])).txt", "Note (\(ids[1])).txt"])
            #expect(items.map { $0.isReadOnly ?? false } == [false, true, true, true])
            #expect(items.map(\.isDirectory) == [true, true, false, false])
            #expect(items.map(\.size) == [nil, nil, 9, 11])
            for item in items {
                let again = try await shared.attributesOfItem(path: item.path)
                #expect(again.name == item.name && again.size == item.size && again.isDirectory == item.isDirectory)
            }
        }
    }

    @Test("a folder is listed, read and changed by paths from the root, also as a tree and in bulk")
    func folder() async throws {
        try await withShared { shared, owner, _ in
            #expect(try await shared.contentsOfDirectory(path: "/plans").map(\.path) == ["/Plans/Sub"])
            let tree = try #require(shared.treeListing(path: "/Plans"))
            #expect(try await tree.reduce(into: []) { $0 += $1 }.map(\.path) == ["/Plans/Sub", "/Plans/Sub/a.txt"])
            #expect(try await shared.contents(path: "/Plans/Sub/a.txt") == Data("/Plans/Sub/a.txt".utf8))
            try await shared.create(folder: "New", at: "/Plans")
            try await shared.writeContents(path: "/Plans/New/c.txt", contents: Data("c".utf8))
            let outcomes = try await shared.writeFiles(
                ["/Plans/New/d.txt", "/Old/e.txt", "/Plans/New/f.txt"].map { BulkFile(path: $0, contents: Data([1])) },
                overwrite: false
            )
            #expect(try outcomes[0].get()?.path == "/Plans/New/d.txt" && outcomes[2].get()?.path == "/Plans/New/f.txt")
            #expect(throws: CocoaError.self) { try outcomes[1].get() }
            try await shared.moveItem(path: "/Plans/New", to: "/Plans/Sub/Moved")
            try await shared.copyItem(path: "/Plans/Sub/a.txt", to: "/Plans/a.txt")
            try await shared.removeItem(path: "/Plans/Sub/a.txt")
            #expect(
                owner.entries.filter { $0.path.hasPrefix("/Plans/") && !$0.isFolder }.map(\.path)
                    == ["/Plans/a.txt", "/Plans/Sub/Moved/c.txt", "/Plans/Sub/Moved/d.txt", "/Plans/Sub/Moved/f.txt"]
            )
        }
    }

    @Test("a file is read by its page, also in part, and copied into a folder")
    func file() async throws {
        try await withShared { shared, owner, lab in
            let items = try await shared.contentsOfDirectory(path: .root)
            let file = try #require(items.last)
            #expect(try await shared.contents(path: file.path) == Data("/x/Note.txt".utf8))
            #expect(try await shared.contents(path: file.path, offset: 3, length: 4) == Data("Note".utf8))
            lab.faults.add(.truncateBody(afterBytes: 4), route: "sharing/get_shared_link_file")
            #expect(try await shared.contents(path: file.path) == Data("/x/Note.txt".utf8))
            try await shared.copyItem(path: file.path, to: "/Plans/copy.txt")
            #expect(owner.contents(at: "/Plans/copy.txt") == Data("/x/Note.txt".utf8))
        }
    }

    @Test("writing is refused before anything is sent where it can't be, with the path from the root")
    func refusals() async throws {
        try await withShared { shared, owner, lab in
            let items = try await shared.contentsOfDirectory(path: .root)
            let file = try #require(items.last).path
            let before = owner.entries
            lab.journal.removeAll()
            let writes: [(ItemPath, () async throws -> Void)] = [
                ("/Old/c.txt", { try await shared.writeContents(path: "/Old/c.txt", contents: Data([1])) }),
                ("/Old/b.txt", { try await shared.removeItem(path: "/Old/b.txt") }),
                ("/Plans", { try await shared.removeItem(path: "/Plans") }),
                (file, { try await shared.writeContents(path: file, contents: Data([1]), overwrite: true) }),
                ("/Plans", { try await shared.moveItem(path: "/Plans", to: "/Plants") }),
            ]
            for (path, write) in writes {
                let error = await #expect(throws: CocoaError.self) { try await write() }
                #expect(error?.code == .fileWriteNoPermission)
                #expect(error?.userInfo[NSFilePathErrorKey] as? String == path.string)
            }
            #expect(lab.journal.exchanges.isEmpty)
            let root = await #expect(throws: CocoaError.self) { try await shared.create(folder: "New", at: .root) }
            #expect(root?.code == .fileWriteNoPermission)
            let parents = await #expect(throws: CocoaError.self) {
                try await shared.create(folder: "New", at: .root, creatingParents: true)
            }
            #expect(parents?.code == .fileWriteNoPermission)
            // `mkdir -p` finds a folder that is there.
            try await shared.create(folder: "Plans", at: .root, creatingParents: true)
            let between = await #expect(throws: CocoaError.self) {
                try await shared.copyItem(path: "/Old", to: "/Plans/Old")
            }
            #expect(between?.code == .featureUnsupported)
            #expect(owner.entries == before)
        }
    }

    @Test("errors name the path from the root")
    func errors() async throws {
        try await withShared { shared, _, lab in
            for path in ["/Plans/gone.txt", "/gone", "/gone/below"] as [ItemPath] {
                let error = await #expect(throws: CocoaError.self) { try await shared.attributesOfItem(path: path) }
                #expect(error?.code == .fileNoSuchFile)
                #expect(error?.userInfo[NSFilePathErrorKey] as? String == path.string)
            }
            let listing = await #expect(throws: CocoaError.self) {
                try await shared.contentsOfDirectory(path: "/Plans/gone")
            }
            #expect(listing?.userInfo[NSFilePathErrorKey] as? String == "/Plans/gone")
            lab.dropbox.revokeTokens(of: lab.dropbox.account)
            let login = await #expect(throws: URLError.self) { try await shared.attributesOfItem(path: .root) }
            #expect(login?.code == .userAuthenticationRequired)
        }
    }

    @Test(
        "names are distinct in any spelling, and keep their extensions",
        arguments: [
            ([("a", "1"), ("b", "2")], ["a", "b"]), ([("a", "1"), ("A", "2")], ["a (1)", "A (2)"]),
            ([("a.b.txt", "1"), ("c", "2"), ("a.b.txt", "3")], ["a.b (1).txt", "c", "a.b (3).txt"]),
        ] as [([(String, String)], [String])]
    )
    func names(items: [(String, String)], expected: [String]) {
        #expect(DropboxSharedItems.distinct(items.map { (name: $0.0, id: $0.1) }) == expected)
    }
}
