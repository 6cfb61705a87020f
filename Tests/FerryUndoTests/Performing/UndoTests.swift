import FerryCore
import FerryMemory
import FerryUndo
import Foundation
import Synchronization
import Testing

@Suite("What was done is taken back, and done again, in each of the ways there are")
struct UndoTests {
    struct Deed: Sendable, CustomTestStringConvertible {
        var name: String
        var work: @Sendable (UndoStage) async throws -> Void
        var testDescription: String { name }
    }

    static let deeds: [Deed] = [
        Deed(name: "a folder is made") { try await $0.files.create(folder: "new", at: .root) },
        Deed(name: "a folder is made with those above it") {
            try await $0.files.create(folder: "c", at: "/new/b", creatingParents: true)
        },
        Deed(name: "a file is written") {
            try await $0.files.writeContents(path: "/new.txt", contents: Data("new".utf8))
        },
        Deed(name: "an empty file is written") { try await $0.files.writeContents(path: "/new.txt", contents: Data()) },
        Deed(name: "a file is overwritten") {
            try await $0.files.writeContents(path: "/a.txt", contents: Data("other".utf8), overwrite: true)
        },
        Deed(name: "an empty file is overwritten") {
            try await $0.files.writeContents(path: "/empty.txt", contents: Data("other".utf8), overwrite: true)
        },
        Deed(name: "a stream overwrites a file") {
            try await $0.files.writeStream(
                path: "/a.txt",
                contents: DataChunks(Data("streamed".utf8)),
                options: WriteOptions(overwrite: true)
            )
        },
        Deed(name: "a file is uploaded") { stage in
            try stage.folder.write("from here", to: "upload.txt")
            let url = stage.folder.url.appending(path: "upload.txt")
            try await stage.files.copyItem(localFile: url, to: "/up.txt")
            try await stage.files.copyItem(localFile: url, to: "/a.txt", overwrite: true)
        },
        Deed(name: "a file is copied") { try await $0.files.copyItem(path: "/a.txt", to: "/copy.txt") },
        Deed(name: "a file is copied onto another") {
            try await $0.files.copyItem(path: "/a.txt", to: "/b.txt", overwrite: true)
        },
        Deed(name: "a folder is copied") { try await $0.files.copyItem(path: "/folder", to: "/copy") },
        Deed(name: "a folder is copied into another") {
            try await $0.files.copyItem(path: "/folder", to: "/other", overwrite: true)
        },
        Deed(name: "a file is moved") { try await $0.files.moveItem(path: "/a.txt", to: "/folder/moved.txt") },
        Deed(name: "a file is moved onto another") {
            try await $0.files.moveItem(path: "/a.txt", to: "/b.txt", overwrite: true)
        },
        Deed(name: "a folder is moved") { try await $0.files.moveItem(path: "/folder", to: "/other/inside") },
        Deed(name: "a folder is moved into another") {
            try await $0.files.moveItem(path: "/folder", to: "/other", overwrite: true)
        },
        Deed(name: "a file is removed") { try await $0.files.removeItem(path: "/a.txt") },
        Deed(name: "a folder is removed with all below it") { try await $0.files.removeItem(path: "/folder") },
        Deed(name: "several things are done at once") { stage in
            try await stage.manager.group(named: "Tidying Up") {
                try await stage.files.create(folder: "new", at: .root)
                try await stage.files.moveItem(path: "/a.txt", to: "/new/a.txt")
                try await stage.files.writeContents(path: "/new/a.txt", contents: Data("v2".utf8), overwrite: true)
                try await stage.manager.group {
                    try await stage.files.removeItem(path: "/folder")
                    try await stage.files.moveItem(path: "/new", to: "/folder")
                }
                try await stage.files.writeContents(path: "/folder/z.txt", contents: Data("z".utf8))
                try await stage.files.removeItem(path: "/folder/a.txt")
            }
        },
    ]

    static let before: KeyValuePairs<String, String> = [
        "a.txt": "a", "b.txt": "bb", "empty.txt": "", "folder/x.txt": "in folder", "folder/deep/y.txt": "deeper",
        "folder/same.txt": "from the folder", "folder/empty": "/", "other/same.txt": "from the other one",
        "other/deep/z.txt": "stays",
    ]

    @Test("each of them", arguments: UndoStage.Kind.allCases, deeds)
    func undoesAndRedoes(kind: UndoStage.Kind, deed: Deed) async throws {
        let stage = try UndoStage(kind)
        try await stage.plant(Self.before)
        let before = try await stage.tree()
        #expect(before.count == 13)
        try await deed.work(stage)
        let after = try await stage.tree()
        #expect(after != before)
        let count = stage.manager.undoCount
        for _ in 0..<2 {
            for _ in 0..<count { try await stage.files.undo() }
            #expect(try await stage.tree() == before)
            #expect(!stage.files.canUndo && stage.files.canRedo)
            for _ in 0..<count { try await stage.files.redo() }
            #expect(try await stage.tree() == after)
            #expect(stage.files.canUndo && !stage.files.canRedo)
        }
    }

    @Test("what somebody has changed meanwhile is not undone, and stays", arguments: UndoStage.Kind.allCases)
    func changedMeanwhile(kind: UndoStage.Kind) async throws {
        let stage = try UndoStage(kind)
        try await stage.plant(["a.txt": "a", "t/x.txt": "x"])
        let deeds: [(path: ItemPath, work: @Sendable (any UndoStage.Files) async throws -> Void)] = [
            ("/b.txt", { try await $0.copyItem(path: "/a.txt", to: "/b.txt") }),
            ("/c.txt", { try await $0.moveItem(path: "/b.txt", to: "/c.txt") }),
            ("/c.txt", { try await $0.writeContents(path: "/c.txt", contents: Data("w".utf8), overwrite: true) }),
            ("/u/x.txt", { try await $0.copyItem(path: "/t", to: "/u") }),
        ]
        for (path, work) in deeds {
            try await work(stage.files)
            try await stage.behind.writeContents(path: path, contents: Data("somebody's".utf8), overwrite: true)
            let tree = try await stage.tree()
            let refusal = await #expect(throws: UndoRefusal.self) { try await stage.files.undo() }
            #expect(refusal?.reason == .changed)
            #expect(refusal?.failureReason == "changed meanwhile")
            #expect(try await stage.tree() == tree)
            #expect(stage.files.canUndo)
            await stage.manager.forgetLast()
        }
    }

    @Test("a group is looked at as a whole before any of it is undone", arguments: UndoStage.Kind.allCases)
    func checksAllFirst(kind: UndoStage.Kind) async throws {
        let stage = try UndoStage(kind)
        try await stage.plant(["a.txt": "a", "b.txt": "b"])
        try await stage.manager.group {
            try await stage.files.create(folder: "new", at: .root)
            try await stage.files.moveItem(path: "/a.txt", to: "/new/a.txt")
            try await stage.files.removeItem(path: "/b.txt")
        }
        // The first thing that was done is the last to be undone.
        try await stage.behind.writeContents(path: "/new/stranger.txt", contents: Data("s".utf8))
        let tree = try await stage.tree()
        let refusal = await #expect(throws: UndoRefusal.self) { try await stage.files.undo() }
        #expect(refusal == UndoRefusal("/new", .notEmpty))
        #expect(try await stage.tree() == tree)
        try await stage.behind.removeItem(path: "/new/stranger.txt")
        // Something has taken the place of what would come back.
        try await stage.behind.writeContents(path: "/b.txt", contents: Data("another".utf8))
        let other = await #expect(throws: UndoRefusal.self) { try await stage.files.undo() }
        #expect(other == UndoRefusal("/b.txt", .occupied))
        try await stage.behind.removeItem(path: "/b.txt")
        try await stage.files.undo()
        #expect(try await stage.tree() == ["/a.txt": "a @1000000001", "/b.txt": "b @1000000001"])
    }

    @Test("what fails halfway leaves a stack that can go on")
    func failsHalfway() async throws {
        let memory = MemoryFileProvider()
        let faulty = FlakyMoves(memory)
        let manager = FileUndoManager()
        let files = UndoableFileProvider(faulty, undoManager: manager)
        for name in ["a", "b", "c"] { try await memory.writeContents(path: "/\(name)", contents: Data(name.utf8)) }
        try await memory.create(folder: "to", at: .root)
        try await manager.group {
            for name in ["a", "b", "c"] { try await files.moveItem(path: "/\(name)", to: "/to/\(name)") }
        }
        faulty.failing.withLock { $0 = ["/to/b"] }
        await #expect(throws: CocoaError.self) { try await files.undo() }
        var names = try await memory.contentsOfDirectory(path: "/").map(\.name).sorted()
        #expect(names == ["c", "to"])
        #expect(files.canUndo && files.canRedo)
        faulty.failing.withLock { $0 = [] }
        try await files.undo()
        names = try await memory.contentsOfDirectory(path: "/").map(\.name).sorted()
        #expect(names == ["a", "b", "c", "to"])
        try await files.redo()
        try await files.redo()
        #expect(try await memory.contentsOfDirectory(path: "/to").map(\.name).sorted() == ["a", "b", "c"])
    }

    @Test("of a move that came half the way what was moved goes back, and what has changed since stays on both sides")
    func halfMoved() async throws {
        let stage = try UndoStage(.local)
        try await stage.plant(["d/a": "a", "d/b": "b", "d/c": "c", "d/e/f": "f"])
        let files = try #require(stage.files as? any RecordingFileProvider)
        await #expect(throws: CocoaError.self) {
            try await files.recordMove(of: "/d", to: "/to") {
                try await stage.behind.copyItem(path: "/d", to: "/to")
                try await stage.behind.removeItem(path: "/d/a")
                try await stage.behind.removeItem(path: "/d/e")
                try await stage.behind.writeContents(path: "/d/b", contents: Data("new".utf8), overwrite: true)
                throw CocoaError(.fileWriteUnknown)
            }
        }
        try await stage.files.undo()
        let names = try FileManager.default.subpathsOfDirectory(atPath: stage.folder.path("files")).sorted()
        #expect(names == ["d", "d/a", "d/b", "d/c", "d/e", "d/e/f", "to", "to/b"])
        let texts = ["files/d/b", "files/to/b", "files/d/a"].map(stage.folder.read)
        #expect(texts == ["new", "b", "a"])
    }

    @Test("nothing is removed that can't be kept, unless it was said before that it can't be undone")
    func refusesToLose() async throws {
        // Larger than what may be kept.
        let strict = try UndoStage(.plain, shadowLimit: 10)
        try await strict.plant(["big.txt": "more than ten bytes", "small.txt": "ten or so"])
        #expect(strict.files.canUndo(operation: .remove(path: "/big.txt")))
        await #expect(throws: CocoaError.self) { try await strict.files.removeItem(path: "/big.txt") }
        await #expect(throws: CocoaError.self) {
            try await strict.files.writeContents(path: "/big.txt", contents: Data("x".utf8), overwrite: true)
        }
        #expect(try await strict.tree()["/big.txt"]?.hasPrefix("more than ten bytes") == true)
        #expect(!strict.files.canUndo)

        let losses = Losses()
        let policy = UndoPolicy(whenNotKept: .goOn, onLoss: { path, _ in losses.add(path) })
        let lax = try UndoStage(.plain, policy: policy, shadowLimit: 10)
        try await lax.plant(["big.txt": "more than ten bytes"])
        try await lax.files.removeItem(path: "/big.txt")
        #expect(try await lax.tree().isEmpty && !lax.files.canUndo)
        #expect(losses.paths == ["/big.txt"])

        // No way at all: that is said before.
        let bare = UndoableFileProvider(PlainFileProvider(MemoryFileProvider(), copiesOnServer: false))
        try await bare.writeContents(path: "/a.txt", contents: Data("a".utf8))
        #expect(!bare.canUndo(operation: .remove(path: "/a.txt")))
        #expect(!bare.canUndo(operation: .modify(path: "/a.txt")))
        #expect(bare.canUndo(operation: .create(path: "/a.txt")))
        #expect(!bare.undoManager.canUndo(.ferry(.remove(path: "/a.txt"))))
        #expect(bare.undoManager.canUndo(.ferry(.move(source: "/a.txt", destination: "/b.txt"))))
        #expect(!bare.undoManager.canUndo(Progress(totalUnitCount: 1)))
        try await bare.removeItem(path: "/a.txt")
        #expect(try await bare.contentsOfDirectory(path: "/").isEmpty)
    }

    @Test("what had to make room is told, and what was undone before it can still be")
    func dropped() async throws {
        let stage = try UndoStage(.plain, shadowLimit: 25)
        try await stage.plant(["1": "0123456789", "2": "abcdefghij", "3": "ABCDEFGHIJ"])
        try await stage.files.removeItem(path: "/1")
        try await stage.files.removeItem(path: "/2")
        try await stage.files.removeItem(path: "/3")
        #expect(await stage.shadow.usedBytes() == 20)
        try await stage.files.undo()
        try await stage.files.undo()
        let refusal = await #expect(throws: UndoRefusal.self) { try await stage.files.undo() }
        #expect(refusal == UndoRefusal("/1", .dropped))
        #expect(!stage.files.canUndo)
        #expect(try await stage.tree().keys.sorted() == ["/2", "/3"])
    }

    @Test("what is kept on this machine is for its owner only, and is looked at before it is given back")
    func shadowIsPrivate() async throws {
        let stage = try UndoStage(.plain)
        try await stage.plant(["a": "secret"])
        try await stage.files.removeItem(path: "/a")
        let names = try stage.folder.names("shadow")
        #expect(names.count == 1)
        #expect(try stage.folder.permissions("shadow") == 0o700)
        let file = "shadow/" + (names.first ?? "")
        #expect(try stage.folder.permissions(file) == 0o600)
        try stage.folder.write("SECRET", to: file)
        let refusal = await #expect(throws: UndoRefusal.self) { try await stage.files.undo() }
        #expect(refusal == UndoRefusal("/a", .damaged))
        #expect(try await stage.tree().isEmpty)
    }

    @Test("a stack has as many levels as it is given, and lets go of what is kept for others")
    func levels() async throws {
        let stage = try UndoStage(.plain)
        try await stage.plant(["1": "1", "2": "2", "3": "3"])
        await stage.manager.setLevels(2)
        for name in ["1", "2", "3"] { try await stage.files.removeItem(path: "/\(name)") }
        #expect(stage.manager.undoCount == 2)
        #expect(try stage.folder.names("shadow").count == 2)
        await stage.manager.removeAll()
        #expect(try stage.folder.names("shadow").isEmpty)
        #expect(!stage.files.canUndo)
    }

    @Test("menus have words, and are told when they change")
    func words() async throws {
        let stage = try UndoStage(.memory)
        try await stage.plant(["report.pdf": "r"])
        var changes = stage.manager.changes.makeAsyncIterator()
        let first = await changes.next()
        #expect(first == FileUndoManager.Status())
        #expect(stage.manager.undoTitle == "Undo")
        let seen = Losses()
        let id = stage.manager.onChange { _ in seen.add("/changed") }
        try await stage.files.moveItem(path: "/report.pdf", to: "/old.pdf")
        #expect(stage.manager.undoTitle == "Undo Move of “report.pdf”")
        let second = await changes.next()
        #expect(second?.undoTitle == "Undo Move of “report.pdf”")
        #expect(seen.paths.count == 1)
        try await stage.files.undo()
        #expect(stage.manager.redoTitle == "Redo Move of “report.pdf”")
        #expect(stage.manager.undoTitle == "Undo")
        stage.manager.removeObserver(id)
        try await stage.manager.group(named: "Tidying Up") {
            try await stage.files.removeItem(path: "/report.pdf")
            try await stage.files.create(folder: "new", at: .root)
        }
        #expect(stage.manager.undoTitle == "Undo Tidying Up")
        #expect(seen.paths.count == 2)
        try await stage.manager.group {
            try await stage.files.create(folder: "a", at: .root)
            try await stage.files.create(folder: "b", at: .root)
        }
        #expect(stage.manager.undoTitle == "Undo Creation of “a” and 1 More")
    }

    @Test("many things at once are each recorded", arguments: UndoStage.Kind.allCases)
    func concurrent(kind: UndoStage.Kind) async throws {
        let stage = try UndoStage(kind)
        try await stage.plant(["start": "s"])
        let before = try await stage.tree()
        try await stage.manager.group {
            try await withThrowingTaskGroup { tasks in
                for number in 0..<40 {
                    tasks.addTask {
                        let path = ItemPath.root.appending("file \(number)")
                        try await stage.files.writeContents(path: path, contents: Data("\(number)".utf8))
                        try await stage.files.moveItem(path: path, to: .root.appending("moved \(number)"))
                    }
                }
                try await tasks.waitForAll()
            }
        }
        let after = try await stage.tree()
        #expect(after.count == 41)
        #expect(stage.manager.undoCount == 1)
        try await stage.files.undo()
        #expect(try await stage.tree() == before)
        try await stage.files.redo()
        #expect(try await stage.tree() == after)
    }
}

/// Paths that were told.
final class Losses: Sendable {
    private let told = Mutex<[ItemPath]>([])
    var paths: [ItemPath] { told.withLock { $0 } }
    func add(_ path: ItemPath) { told.withLock { $0.append(path) } }
}

/// Some moves fail.
struct FlakyMoves<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let failing = Shared()

    final class Shared: Sendable {
        private let paths = Mutex<Set<ItemPath>>([])
        func withLock<Result: Sendable>(_ body: @Sendable (inout Set<ItemPath>) -> Result) -> Result {
            paths.withLock { body(&$0) }
        }
    }

    init(_ base: Base) { self.base = base }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if call.method == .moveItem, failing.withLock({ $0.contains(call.path) }) {
            throw CocoaError(.fileWriteNoPermission)
        }
        return try await body()
    }
}

extension FlakyMoves: FileProviderOperations where Base: FileProviderOperations {}
