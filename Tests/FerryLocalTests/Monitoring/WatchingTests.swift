#if os(Linux)
import FerryCore
import Foundation
import Testing

@testable import FerryLocal

@Suite("Who watches a local folder", .timeLimit(.minutes(30)))
struct WatchingTests {
    private let folder: TemporaryFolder
    private let files: LocalFileProvider

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("w")
        files = folder.provider("w")
    }

    private func path(_ relative: String) -> String { folder.path("w/" + relative) }

    private func append(_ text: String, to relative: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path(relative)))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    private func rename(_ from: String, _ to: String) throws {
        try system { Foundation.rename(path(from), path(to)) }
    }

    /// Gives two items each other's names, by a call that the headers hide.
    private func exchange(_ first: String, _ second: String) throws {
        typealias Call = @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
        let call = unsafeBitCast(try #require(dlsym(nil, "renameat2")), to: Call.self)
        try system { call(AT_FDCWD, path(first), AT_FDCWD, path(second), 2 /* RENAME_EXCHANGE */) }
    }

    @Test("is told what happens to a file, and its kind")
    func kinds() async throws {
        var spectator = try await Spectator(of: files)
        try folder.write("a", to: "w/a")
        #expect(try await spectator.seen().first == FileChange(.created, path: "/a"))
        try append("b", to: "a")
        #expect(try await spectator.seen() == [FileChange(.modified, path: "/a")])
        chmod(path("a"), 0o600)
        #expect(try await spectator.seen() == [FileChange(.attributes, path: "/a")])
        try rename("a", "b")
        #expect(try await spectator.seen() == [FileChange(.moved(from: "/a"), path: "/b")])
        unlink(path("b"))
        #expect(try await spectator.seen() == [FileChange(.removed, path: "/b")])
    }

    @Test("is told once of each item of a tree that comes as a whole", arguments: ["made", "copied", "moved in"])
    func trees(way: String) async throws {
        for place in ["outside/tree", "outside/deep"] { try folder.makeFolder(place + "/1/2/3/4/5/6/7/8") }
        for number in 0..<200 { try folder.write("x", to: "outside/tree/\(number % 7)/\(number % 3)/\(number)") }
        var spectator = try await Spectator(of: files)
        for round in 0..<10 {
            switch way {
            case "made": try folder.makeFolder("w/\(round)/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16")
            case "copied":
                try FileManager.default.copyItem(atPath: folder.path("outside/tree"), toPath: path("\(round)"))
            default:
                try FileManager.default.copyItem(atPath: folder.path("outside/tree"), toPath: folder.path("t\(round)"))
                try system { Foundation.rename(folder.path("t\(round)"), path("\(round)")) }
            }
        }
        let created = try await spectator.seen().filter { $0.kind == .created }.map {
            String($0.path.string.dropFirst())
        }
        let names = try folder.names("w").filter { !$0.hasPrefix("mark-") }
        #expect(created.sorted() == names)
    }

    @Test("is told of one move, with both paths, also of a folder, and then of what happens in it")
    func moves() async throws {
        try folder.write("a", to: "w/from/tree/1/2/a")
        try folder.makeFolder("w/to")
        var spectator = try await Spectator(of: files)
        try rename("from/tree", "to/Tree")
        #expect(try await spectator.seen() == [FileChange(.moved(from: "/from/tree"), path: "/to/Tree")])
        try append("b", to: "to/Tree/1/2/a")
        #expect(try await spectator.seen() == [FileChange(.modified, path: "/to/Tree/1/2/a")])
        try rename("to/Tree", "to/tree")
        try rename("to/tree/1/2/a", "to/tree/1/2/A")
        #expect(
            try await spectator.seen() == [
                FileChange(.moved(from: "/to/Tree"), path: "/to/tree"),
                FileChange(.moved(from: "/to/tree/1/2/a"), path: "/to/tree/1/2/A"),
            ]
        )
        // A folder that is itself just made.
        try folder.makeFolder("w/new")
        try rename("to/tree/1", "new/one")
        let changes = try await spectator.seen()
        #expect(changes.last == FileChange(.moved(from: "/to/tree/1"), path: "/new/one"), "\(changes)")
        unlink(path("new/one/2/A"))
        #expect(try await spectator.seen() == [FileChange(.removed, path: "/new/one/2/A")])
    }

    @Test("is told that what moves out is gone, and no more of it")
    func movesOut() async throws {
        try folder.write("a", to: "w/tree/1/a")
        try folder.write("b", to: "w/b")
        var spectator = try await Spectator(of: files)
        try system { Foundation.rename(path("tree"), folder.path("tree")) }
        try system { Foundation.rename(path("b"), folder.path("b")) }
        try folder.write("more", to: "tree/1/c")
        #expect(try await spectator.seen() == [FileChange(.removed, path: "/tree"), FileChange(.removed, path: "/b")])
        try folder.write("more", to: "tree/1/d")
        #expect(try await spectator.seen() == [])
    }

    @Test("is told of a move between two watched folders by each of those who watch one")
    func twoRoots() async throws {
        try folder.write("a", to: "w/one/tree/a")
        try folder.makeFolder("w/two")
        var first = try await Spectator("/one", of: files)
        var second = try await Spectator("/two", of: files)
        var whole = try await Spectator(of: files)
        try rename("one/tree", "two/tree")
        #expect(try await first.seen() == [FileChange(.removed, path: "/one/tree")])
        #expect(
            try await Set(second.seen())
                == [FileChange(.created, path: "/two/tree"), FileChange(.created, path: "/two/tree/a")]
        )
        #expect(try await whole.seen() == [FileChange(.moved(from: "/one/tree"), path: "/two/tree")])
    }

    @Test("sees the same after a file was saved safely, whether or not the first name is told of")
    func saves() async throws {
        try folder.write("old", to: "w/doc")
        var spectator = try await Spectator(of: files)
        for round in 0..<20 {
            try folder.write("new \(round)", to: "w/.doc.swp")
            try rename(".doc.swp", "doc")
            let changes = try await spectator.seen()
            let isOne = changes == [FileChange(.modified, path: "/doc")]
            #expect(isOne || changes.last == FileChange(.moved(from: "/.doc.swp"), path: "/doc"), "\(changes)")
        }
        // Our own way to save is not told of otherwise, however long it takes.
        try await files.writeContents(path: "/doc", contents: Data("ours".utf8), overwrite: true)
        #expect(try await spectator.seen() == [FileChange(.modified, path: "/doc")])
        try await files.copyItem(path: "/doc", to: "/copy")
        #expect(try await spectator.seen().map(\.path) == ["/copy"])
    }

    @Test("is told of links as such, and not of what they lead to")
    func links() async throws {
        try folder.makeFolder("outside")
        try folder.write("a", to: "w/a")
        var spectator = try await Spectator(of: files)
        try folder.link("w/out", to: folder.path("outside"))
        try system { link(path("a"), path("hard")) }
        #expect(
            try await spectator.seen() == [FileChange(.created, path: "/out"), FileChange(.created, path: "/hard")]
        )
        try folder.write("x", to: "outside/x")
        #expect(try await spectator.seen() == [])
        try append("more", to: "hard")
        #expect(try await spectator.seen() == [FileChange(.modified, path: "/hard")])
        unlink(path("out"))
        unlink(path("a"))
        #expect(try await spectator.seen() == [FileChange(.removed, path: "/out"), FileChange(.removed, path: "/a")])
    }

    @Test("is told names of any bytes, which lead to the items")
    func names() async throws {
        var spectator = try await Spectator(of: files)
        let name: [CChar] = [-1, 0x20, -128, 0x0A, 0]
        let target = path("").utf8.map { CChar(bitPattern: $0) } + name
        try system { mkdir(target, 0o700) }
        try system { open(target.dropLast() + [0x2F, -2, 0], O_CREAT | O_RDONLY, 0o600) }
        let changes = try await spectator.seen()
        #expect(changes.map(\.kind) == [.created, .created])
        for change in changes { #expect(files.base.exists(change.path), "\(change)") }
        #expect(NameEscape.bytes(ofName: changes[0].path.lastName) == [0xFF, 0x20, 0x80, 0x0A])
    }

    @Test("is told to look again at two items that have taken each other's names")
    func exchange() async throws {
        try folder.write("a", to: "w/a")
        try folder.write("b", to: "w/d/b")
        var spectator = try await Spectator(of: files)
        try exchange("a", "d")
        let changes = try await spectator.seen()
        #expect(Set(changes) == [FileChange(.rescan, path: "/a"), FileChange(.rescan, path: "/d")])
        try folder.write("c", to: "w/a/c")
        #expect(try await spectator.seen().first == FileChange(.created, path: "/a/c"))
        // There and back is no exchange.
        try folder.write("e", to: "w/e")
        _ = try await spectator.seen()
        try rename("a/c", "e")
        try rename("e", "a/c")
        let moves = try await spectator.seen()
        #expect(
            moves == [FileChange(.moved(from: "/a/c"), path: "/e"), FileChange(.moved(from: "/e"), path: "/a/c")]
        )
    }

    @Test("of one file is told of that file alone, also when another takes its place")
    func oneFile() async throws {
        try folder.write("a", to: "w/a")
        var changes = try await files.changes(under: "/a").makeAsyncIterator()
        try folder.write("b", to: "w/b")
        try append("more", to: "a")
        #expect(try await changes.next() == FileChange(.modified, path: "/a"))
        try rename("b", "a")
        #expect(try await changes.next() == FileChange(.modified, path: "/a"))
        unlink(path("a"))
        var last = try await changes.next()
        // Of the file that was appended to there are two where it was open for long.
        if last == FileChange(.modified, path: "/a") { last = try await changes.next() }
        #expect(last == FileChange(.removed, path: "/a"))
        #expect(try await changes.next() == nil)
    }

    @Test("is told the end when it is removed, or is moved, itself or a folder above", arguments: 0..<3)
    func ends(way: Int) async throws {
        try folder.write("a", to: "w/1/2/3/a")
        var spectator = try await Spectator("/1/2/3", of: files)
        switch way {
        case 0: try FileManager.default.removeItem(atPath: path("1/2/3"))
        case 1: try rename("1/2/3", "1/2/4")
        default: try rename("1", "one")
        }
        #expect(try await spectator.rest().last == FileChange(.removed, path: "/1/2/3"))
    }

    @Test("goes on when the base folder is moved, as all else does")
    func movedBase() async throws {
        var changes = try await files.changes(under: "/").makeAsyncIterator()
        try system { Foundation.rename(folder.path("w"), folder.path("v")) }
        try folder.write("a", to: "v/a")
        #expect(try await changes.next() == FileChange(.created, path: "/a"))
        #expect(files.base.exists("/a"))
    }

    @Test("of what a link leads to is told of that; not of what is outside")
    func throughLink() async throws {
        try folder.makeFolder("w/real")
        try folder.makeFolder("outside")
        try folder.link("w/link", to: "real")
        try folder.link("w/out", to: folder.path("outside"))
        var spectator = try await Spectator("/link", of: files)
        try folder.write("a", to: "w/real/a")
        #expect(try await spectator.seen().first == FileChange(.created, path: "/link/a"))
        await expect(.fileReadNoPermission) { _ = try await files.changes(under: "/out") }
    }

    @Test("is told to look again when the system has dropped changes, and of all that comes then")
    func overflow() async throws {
        let tree = try WatchedTree("/", in: files.base)
        let limit = try Int(
            String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        )
        try #require(limit ?? .max < 1 << 20, "a machine that drops no events")
        // Nobody takes them: the kernel's list runs over.
        for _ in 0...(limit ?? 0) / 2 {
            symlink("x", path("l"))
            unlink(path("l"))
        }
        try folder.write("x", to: "w/new/folder/x")
        #expect(tree.handle() == nil)
        var changes = tree.feed.changes { tree.end() }.makeAsyncIterator()
        #expect(try await changes.next() == FileChange(.rescan, path: "/"))
        try folder.write("y", to: "w/new/folder/y")
        _ = tree.handle()
        #expect(try await changes.next() == FileChange(.created, path: "/new/folder/y"))
    }

    @Test("is told to look again when there is too much to remember, too")
    func tooMuch() async throws {
        let tree = try WatchedTree("/", in: files.base, pendingLimit: 50)
        for number in 0..<100 { symlink("x", path("\(number)")) }
        _ = tree.handle()
        for number in 100..<120 { symlink("x", path("\(number)")) }
        _ = tree.handle()
        var changes = tree.feed.changes { tree.end() }.makeAsyncIterator()
        #expect(try await changes.next() == FileChange(.rescan, path: "/"))
        for number in 100..<120 { #expect(try await changes.next() == FileChange(.created, path: "/\(number)")) }
    }

    @Test("is told to look again where a disk was unmounted, and what ends the watch if it was on that disk")
    func unmounted() async throws {
        guard geteuid() == 0, let disk = try? MountedFileSystem(folder, options: "size=8m") else { return }
        let whole = folder.provider()
        try folder.write("a", to: "disk/1/2/a")
        var spectator = try await Spectator(of: whole)
        var inside = try await Spectator("/disk/1", of: whole)
        disk.unmount()
        #expect(try await spectator.next() == FileChange(.rescan, path: "/disk"))
        await expect(.fileReadUnknown) { _ = try await inside.rest() }
        // It is a folder like others now.
        try folder.write("b", to: "disk/b")
        #expect(try await spectator.seen().contains(FileChange(.created, path: "/disk/b")))
    }

    @Test("is told of what is in a folder when it can be read at last")
    func unreadable() async throws {
        // Root is not kept from anything.
        if geteuid() == 0 { return }
        try folder.write("a", to: "w/shut/a")
        chmod(path("shut"), 0)
        var spectator = try await Spectator(of: files)
        chmod(path("shut"), 0o700)
        #expect(try await spectator.seen().contains(FileChange(.rescan, path: "/shut")))
        try folder.write("b", to: "w/shut/b")
        #expect(try await spectator.seen().contains(FileChange(.created, path: "/shut/b")))
    }
}
#endif
