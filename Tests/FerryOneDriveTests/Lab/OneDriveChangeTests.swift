import FerryCloudLab
import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Changes of a drive")
struct OneDriveChangeTests {
    private func moves(_ changes: [TrackedChange]) -> [[ItemPath]] {
        changes.compactMap { change in
            guard case .updated(let item, let previous?) = change else { return nil }
            return [previous, item.path]
        }
    }

    private func removals(_ changes: [TrackedChange]) -> [ItemPath] {
        changes.compactMap { if case .removed(let path, _) = $0 { path } else { nil } }
    }

    private func updates(_ changes: [TrackedChange]) -> [ItemPath] {
        changes.compactMap { if case .updated(let item, nil) = $0 { item.path } else { nil } }
    }

    @Test("a move is reported as one, and what is in a moved folder one by one", arguments: GraphDriveType.allCases)
    func moved(type: GraphDriveType) async throws {
        try await withDrive {
            $0.graph.driveType = type
        } perform: { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/a.txt")
            try storage.write(Data("b".utf8), to: "/Folder/Inner/b.txt")
            try await provider.listAll()
            let anchor = try await provider.currentAnchor()
            try storage.move(from: "/a.txt", to: "/Folder/c.txt")
            try storage.move(from: "/Folder", to: "/Other")
            let moves = moves(try await provider.changes(since: anchor).changes)
            #expect(moves.contains(["/Folder", "/Other"]))
            #expect(moves.contains(["/a.txt", "/Other/c.txt"]))
            #expect(moves.contains(["/Folder/Inner/b.txt", "/Other/Inner/b.txt"]))
        }
    }

    @Test(
        "what is in a moved folder is reported once, not again with its next change",
        arguments: GraphDriveType.allCases
    )
    func movedOnce(type: GraphDriveType) async throws {
        try await withDrive {
            $0.graph.driveType = type
        } perform: { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("c".utf8), to: "/A/c.txt")
            try await provider.listAll()
            let anchor = try await provider.currentAnchor()
            try storage.move(from: "/A", to: "/B")
            let first = try await provider.changes(since: anchor)
            #expect(moves(first.changes) == [["/A", "/B"], ["/A/c.txt", "/B/c.txt"]])
            try storage.write(Data("second".utf8), to: "/B/c.txt")
            let second = try await provider.changes(since: first.anchor)
            #expect(moves(second.changes).isEmpty && updates(second.changes) == ["/B/c.txt"])
            // Whoever asks from before the move gets it all the same.
            #expect(moves(try await provider.changes(since: anchor).changes) == [["/A", "/B"]])
        }
    }

    @Test("what has come into a folder that nobody has seen is told with the place at which it was seen")
    func intoUnknownFolder() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/in/a.txt")
            try storage.write(Data("b".utf8), to: "/Old/b.txt")
            _ = try await provider.contentsOfDirectory(path: "/in")
            try storage.move(from: "/in/a.txt", to: "/Old/a.txt")
            let anchor = try await provider.currentAnchor()
            try storage.move(from: "/Old", to: "/New")
            let changes = try await provider.changes(since: anchor).changes
            #expect(moves(changes) == [["/in/a.txt", "/New/a.txt"]])
            #expect(updates(changes) == ["/New", "/New/b.txt"])
        }
    }

    @Test("it is not told as a move from where another file is by now", arguments: [false, true])
    func intoUnknownFolderReplaced(isSeen: Bool) async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/in/a.txt")
            try storage.write(Data("b".utf8), to: "/old/b.txt")
            _ = try await provider.contentsOfDirectory(path: "/in")
            try storage.move(from: "/in/a.txt", to: "/old/a.txt")
            if isSeen {
                try storage.write(Data("other".utf8), to: "/in/a.txt")
                _ = try await provider.contentsOfDirectory(path: "/in")
            }
            let anchor = try await provider.currentAnchor()
            try storage.move(from: "/old", to: "/new")
            if !isSeen { try storage.write(Data("other".utf8), to: "/in/a.txt") }
            let changes = try await provider.changes(since: anchor).changes
            #expect(moves(changes).isEmpty)
            #expect(Set(updates(changes)).isSuperset(of: ["/new", "/new/a.txt", "/new/b.txt"]))
        }
    }

    @Test("of a removed folder the folder is told, and nothing of it again", arguments: GraphDriveType.allCases)
    func removed(type: GraphDriveType) async throws {
        try await withDrive {
            $0.graph.driveType = type
        } perform: { provider, lab in
            let storage = lab.graph.account.storage
            for number in 0..<5 { try storage.write(Data("a".utf8), to: "/Folder/Inner/\(number).txt") }
            try await provider.listAll()
            let anchor = try await provider.currentAnchor()
            try storage.remove(at: "/Folder")
            let set = try await provider.changes(since: anchor)
            #expect(removals(set.changes) == ["/Folder"] && set.changes.count == 1)
            #expect(try await provider.changes(since: set.anchor).changes.isEmpty)
        }
    }

    @Test("the last mention of an item counts, and parents come before children")
    func rough() async throws {
        try await withDrive { provider, lab in
            let anchor = try await provider.currentAnchor()
            let storage = lab.graph.account.storage
            for number in 0..<4 { try storage.write(Data("one".utf8), to: "/Top/Inner/\(number).txt") }
            try storage.write(Data("second".utf8), to: "/Top/Inner/0.txt")
            let set = try await provider.changes(since: anchor)
            #expect(!set.hasMore)
            let paths = updates(set.changes)
            #expect(paths.count == Set(paths).count && Set(paths).count == 6)
            #expect(paths.prefix(2) == ["/Top", "/Top/Inner"])
            let sizes = set.changes.compactMap { change -> Int64? in
                guard case .updated(let item, _) = change, item.name == "0.txt" else { return nil }
                return item.size
            }
            #expect(sizes == [6])
        }
    }

    @Test("two who ask since the same anchor get the same")
    func twoReaders() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/a.txt")
            try storage.write(Data("b".utf8), to: "/b.txt")
            try await provider.listAll()
            let anchor = try await provider.currentAnchor()
            try storage.move(from: "/a.txt", to: "/c.txt")
            try storage.remove(at: "/b.txt")
            let first = try await provider.changes(since: anchor)
            let second = try await provider.changes(since: anchor)
            #expect(first.changes == second.changes)
            #expect(moves(first.changes) == [["/a.txt", "/c.txt"]] && removals(first.changes) == ["/b.txt"])
            try storage.move(from: "/c.txt", to: "/d.txt")
            #expect(moves(try await provider.changes(since: first.anchor).changes) == [["/c.txt", "/d.txt"]])
        }
    }

    @Test("what this process did itself is told with where it was, though it was listed at its new place since")
    func ownMoves() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/Folder/a.txt")
            try await provider.listAll()
            let anchor = try await provider.currentAnchor()
            try await provider.moveItem(path: "/Folder", to: "/Other")
            try await provider.listAll()
            let moves = moves(try await provider.changes(since: anchor).changes)
            #expect(moves.contains(["/Folder", "/Other"]) && moves.contains(["/Folder/a.txt", "/Other/a.txt"]))
        }
    }

    @Test("a folder that comes from elsewhere, with contents that have not changed, comes with them")
    func unknownFolder() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/Folder/Inner/a.txt")
            try storage.makeFolder(at: "/Elsewhere")
            let anchor = try await provider.currentAnchor()
            // Nobody here has seen where it was.
            try storage.move(from: "/Folder", to: "/Elsewhere/Folder")
            let paths = updates(try await provider.changes(since: anchor).changes)
            #expect(paths.contains("/Elsewhere/Folder") && paths.contains("/Elsewhere/Folder/Inner/a.txt"))
        }
    }

    @Test("new folders in each other come before what was moved into them, and nothing comes twice")
    func nestedFolders() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/Known/Inner/a.txt")
            try await provider.listAll()
            let anchor = try await provider.currentAnchor()
            try storage.makeFolder(at: "/New/Empty")
            try storage.move(from: "/Known", to: "/New/Known")
            let changes = try await provider.changes(since: anchor).changes
            #expect(updates(changes) == ["/New", "/New/Empty"])
            #expect(
                moves(changes) == [
                    ["/Known", "/New/Known"], ["/Known/Inner", "/New/Known/Inner"],
                    ["/Known/Inner/a.txt", "/New/Known/Inner/a.txt"],
                ]
            )
        }
    }

    @Test("what changes in a notebook is not reported, since it is not shown")
    func notebook() async throws {
        try await withDrive { provider, lab in
            try lab.graph.makePackage(at: "/Notes")
            let anchor = try await provider.currentAnchor()
            try lab.graph.account.storage.write(Data("a".utf8), to: "/Notes/Section.one")
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            #expect(updates(try await provider.changes(since: anchor).changes) == ["/a.txt"])
        }
    }

    @Test(
        "changes that don't say which item is where are an error, and no removal",
        arguments: [
            #"{"id":"1","file":{},"parentReference":{"driveId":"d","id":"root"}}"#,
            #"{"id":"1","name":"a","file":{}}"#,
            #"{"id":"1","name":"a","file":{},"parentReference":{"driveId":"d","id":"loop"}}"#,
        ]
    )
    func doubt(item: String) async throws {
        let link = "https://graph.microsoft.com/v1.0/me/drive/root/delta?token=1"
        let (provider, _) = try OneDriveFileProvider.scripted { sent, _ in
            switch sent.route {
            case "GET /me/drive": .json(#"{"id":"d","driveType":"personal"}"#)
            case "GET /me/drive/items/loop":
                .json(#"{"id":"loop","name":"f","folder":{"childCount":1},"parentReference":{"id":"loop"}}"#)
            case "GET /me/drive/items/root":
                .json(#"{"id":"root","name":"root","folder":{"childCount":1},"root":{}}"#)
            default:
                .json(
                    #"{"value":[\#(sent.query == "token=1" ? item : "")],"@odata.deltaLink":"\#(link)"}"#
                )
            }
        }
        let anchor = try await provider.currentAnchor()
        let error = await #expect(throws: URLError.self) { try await provider.changes(since: anchor) }
        #expect(error?.code == .cannotParseResponse)
    }

    @Test("the folder above a known file is told to be gone from where it was, though it was never seen itself")
    func unseenFolder() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/Folder/Inner/a.txt")
            let another = try lab.oneDrive()
            _ = try await another.attributesOfItem(path: "/Folder/Inner/a.txt")
            let anchor = try await another.currentAnchor()
            try storage.move(from: "/Folder", to: "/Other")
            let changes = try await another.changes(since: anchor).changes
            #expect(removals(changes) == ["/Folder"])
            #expect(updates(changes).contains("/Other/Inner/a.txt"))
            await another.invalidate()
        }
    }

    @Test(
        """
        an anchor of another process reports new items and, by their identifiers, those that are gone, and has expired \
        when an older one has changed
        """
    )
    func foreignAnchor() async throws {
        try await withDrive {
            $0.clock = LabClock()
        } perform: { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("old".utf8), to: "/old.txt")
            try storage.write(Data("a".utf8), to: "/a.txt")
            try await provider.listAll()
            let anchor = try await provider.currentAnchor()
            lab.clock.advance(by: .seconds(5))
            let another = try lab.oneDrive()
            #expect(try await another.changes(since: anchor).changes.isEmpty)
            try storage.write(Data("b".utf8), to: "/b.txt")
            let set = try await another.changes(since: anchor)
            #expect(updates(set.changes) == ["/b.txt"])
            let old = try #require(try await provider.attributesOfItem(path: "/old.txt").id)
            try storage.remove(at: "/old.txt")
            let removal = try await another.changes(since: set.anchor)
            #expect(removal.changes == [.removedItem(id: old)])
            try storage.move(from: "/a.txt", to: "/c.txt")
            await #expect(throws: AnchorExpiredError.self) { try await another.changes(since: removal.anchor) }
            #expect(moves(try await provider.changes(since: anchor).changes) == [["/a.txt", "/c.txt"]])
            await another.invalidate()
        }
    }

    @Test("what was new to an anchor of another process is not new to the one that follows")
    func foreignAnchorTwice() async throws {
        try await withDrive {
            $0.clock = LabClock()
        } perform: { provider, lab in
            let storage = lab.graph.account.storage
            let anchor = try await provider.currentAnchor()
            lab.clock.advance(by: .seconds(5))
            try storage.write(Data("b".utf8), to: "/b.txt")
            let another = try lab.oneDrive()
            let set = try await another.changes(since: anchor)
            #expect(updates(set.changes) == ["/b.txt"])
            try storage.move(from: "/b.txt", to: "/c.txt")
            await #expect(throws: AnchorExpiredError.self) { try await another.changes(since: set.anchor) }
            await another.invalidate()
        }
    }

    @Test("both kinds of a resync are an anchor that has expired, and so is what is no anchor")
    func resync() async throws {
        try await withDrive { provider, lab in
            let anchor = try await provider.currentAnchor()
            for _ in 0..<2 {
                lab.graph.resetCursors()
                await #expect(throws: AnchorExpiredError.self) { try await provider.changes(since: anchor) }
            }
            lab.journal.removeAll()
            for text in ["ferry-unknown", "", "a 1 2 http://example.org/delta", "a b c d"] {
                await #expect(throws: AnchorExpiredError.self) {
                    try await provider.changes(since: ChangeAnchor(token: text))
                }
            }
            #expect(lab.journal.exchanges.isEmpty)
        }
    }

    @Test("a swap of two files ends with each at its place")
    func swap() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/a.txt")
            try storage.write(Data("second".utf8), to: "/b.txt")
            try await provider.listAll()
            let anchor = try await provider.currentAnchor()
            try storage.move(from: "/a.txt", to: "/c.txt")
            try storage.move(from: "/b.txt", to: "/a.txt")
            try storage.move(from: "/c.txt", to: "/b.txt")
            var sizes: [ItemPath: Int64] = ["/a.txt": 1, "/b.txt": 6]
            for change in try await provider.changes(since: anchor).changes {
                switch change {
                case .removed(let path, _): sizes[path] = nil
                case .removedItem(let id): Issue.record("the place of \(id) is known")
                case .updated(let item, let previous):
                    if let previous { sizes[previous] = nil }
                    sizes[item.path] = item.size
                }
            }
            #expect(sizes == ["/a.txt": 6, "/b.txt": 1])
        }
    }

    // MARK: Watching

    @Test("a watch asks less and less often while nothing happens, and often again after a change")
    func interval() {
        var interval = PollingInterval()
        var waits: [Duration] = []
        for _ in 0..<20 {
            waits.append(interval.current)
            interval.note(hasChanges: false)
        }
        #expect(waits[0] == .seconds(1) && zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(waits.last == .seconds(60))
        interval.note(hasChanges: true)
        #expect(interval.current == .seconds(1))
        interval.noteFailure(delay: .seconds(90))
        #expect(interval.current == .seconds(90))
    }
}
