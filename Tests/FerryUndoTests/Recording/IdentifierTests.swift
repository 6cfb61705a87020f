import FerryCore
import FerryMemory
import FerryUndo
import Foundation
import Testing

@Suite("Operations on items that are addressed by their identifiers")
struct IdentifierTests {
    private let memory = MemoryFileProvider()
    private let files: UndoableFileProvider<MemoryFileProvider>

    init() async throws {
        files = UndoableFileProvider(memory)
        try await memory.create(folder: "d", at: .root)
        try await memory.writeContents(path: "/d/a", contents: Data("old".utf8))
    }

    private func address(of path: ItemPath) async throws -> ItemPath {
        ItemPath(identifier: try #require(try await memory.attributesOfItem(path: path).id))
    }

    private func names() async throws -> [String] {
        try await memory.contentsOfDirectory(path: "/d").map(\.name).sorted()
    }

    @Test("a removal is taken back, and the item has its old place")
    func removing() async throws {
        try await files.removeItem(path: try await address(of: "/d/a"))
        #expect(try await names() == [])
        try await files.undo()
        #expect(try await memory.contents(path: "/d/a") == Data("old".utf8))
        try await files.redo()
        #expect(try await names() == [])
    }

    @Test("a move is taken back")
    func moving() async throws {
        try await files.moveItem(path: try await address(of: "/d/a"), to: try await address(of: "/d").appending("b"))
        #expect(try await names() == ["b"])
        try await files.undo()
        #expect(try await names() == ["a"])
    }

    @Test("a replaced content is taken back, by the identifier and below the folder's")
    func writing() async throws {
        for path in [try await address(of: "/d/a"), try await address(of: "/d").appending("a")] {
            try await files.writeContents(path: path, contents: Data("new".utf8), overwrite: true)
            #expect(try await memory.contents(path: "/d/a") == Data("new".utf8))
            try await files.undo()
            #expect(try await memory.contents(path: "/d/a") == Data("old".utf8))
        }
    }

    @Test("a folder that is made, and files that are written together, are taken back as one group")
    func group() async throws {
        let folder = try await address(of: "/d")
        try await files.undoManager.group(named: "both") {
            try await files.create(folder: "new", at: folder)
            try await files.writeContents(path: "/d/new/x", contents: Data("x".utf8))
            try await files.writeContents(path: folder.appending("new").appending("y"), contents: Data("y".utf8))
        }
        #expect(try await names() == ["a", "new"])
        try await files.undo()
        #expect(try await names() == ["a"])
    }

    @Test("the top's identifier shows nothing of what is set aside")
    func hiding() async throws {
        try await memory.create(folder: ".ferry-undo", at: .root)
        let top = try await address(of: .root)
        #expect(try await memory.contentsOfDirectory(path: top).count == 2)
        #expect(try await files.contentsOfDirectory(path: top).map(\.name) == ["d"])
    }

    @Test("and an identifier that leads to nothing is an error")
    func missing() async throws {
        await #expect { try await files.removeItem(path: "id:4711") } throws: {
            ($0 as? CocoaError)?.code == .fileNoSuchFile
        }
    }
}
