import Ferry
import FerryTestServers
import Foundation
import Testing

@Suite("The guide to undoing")
struct UndoGuideTests {
    @Test("shows code that compiles and works: this very code")
    func code() async throws {
        let storage = MemoryFileProvider()
        try await storage.writeContents(path: "/report.pdf", contents: Data("report".utf8))
        try await storage.writeContents(path: "/draft.pdf", contents: Data("draft".utf8))
        // begin
        let undoManager = FileUndoManager()
        let files = UndoableFileProvider(storage, undoManager: undoManager)
        try await undoManager.group(named: "Tidying Up") {
            try await files.create(folder: "archive", at: "/")
            try await files.moveItem(path: "/report.pdf", to: "/archive/report.pdf")
            try await files.removeItem(path: "/draft.pdf")
        }
        print(undoManager.undoTitle)  // Undo Tidying Up
        try await files.undo()
        try await files.redo()
        // end
        #expect(undoManager.undoTitle == "Undo Tidying Up")
        #expect(try await storage.contentsOfDirectory(path: "/").map(\.name) == ["archive"])
        // begin
        guard files.canUndo(operation: .remove(path: "/report.pdf")) else { return }
        // end
        // begin
        for await status in undoManager.changes {
            print(status.canUndo ? status.undoTitle : "nothing to undo")
            break
        }
        // end
        let examples = try CompiledExamples()
        #expect(examples.texts.count == 3)
        #expect(try examples.missing(from: "../../Sources/FerryUndo/FerryUndo.docc/Undoing.md") == [])
    }
}
