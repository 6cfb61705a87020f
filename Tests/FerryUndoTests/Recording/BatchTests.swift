import FerryCore
import FerryMemory
import FerryUndo
import Foundation
import Testing

@Suite("Operations on several items that are recorded")
struct BatchTests {
    @Test("can be taken back, each by itself")
    func undone() async throws {
        let memory = MemoryFileProvider()
        for name in ["a", "b", "c"] { try await memory.writeContents(path: "/\(name)", contents: Data(name.utf8)) }
        let files = UndoableFileProvider(memory)
        let removed = try await files.removeItems(["/a", "/gone", "/b"])
        #expect(removed.map { (try? $0.get()) != nil } == [true, false, true])
        let moved = try await files.moveItems([ItemMove(path: "/c", to: "/d")])
        #expect(moved.count == 1)
        for _ in 0..<3 { try await files.undo() }
        #expect(!files.canUndo)
        for name in ["a", "b", "c"] { #expect(try await memory.contents(path: "/\(name)") == Data(name.utf8)) }
        #expect(try await memory.contentsOfDirectory(path: .root).count == 3)
    }
}
