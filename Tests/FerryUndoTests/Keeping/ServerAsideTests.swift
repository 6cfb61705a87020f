import FerryCore
import FerryMemory
import FerryTestKit
import FerryUndo
import Foundation
import Testing

@Suite("On a server that keeps nothing by itself")
struct ServerAsideTests {
    @Test("what is kept on a server is not shown, and goes when it is forgotten")
    func serverAside() async throws {
        let stage = try UndoStage(.server)
        try await stage.plant(["a": "a"])
        try await stage.files.removeItem(path: "/a")
        #expect(try await stage.files.contentsOfDirectory(path: "/").isEmpty)
        #expect(try await stage.behind.contentsOfDirectory(path: "/.ferry-undo").count == 1)
        await stage.manager.removeAll()
        #expect(try await stage.behind.contentsOfDirectory(path: "/.ferry-undo").isEmpty)
    }

    @Test(
        "what somebody writes on a server right when an old content comes back is kept, or stays in its place",
        arguments: [1, 2]
    )
    func writtenMeanwhile(_ moment: Int) async throws {
        let base = PlainFileProvider(MemoryFileProvider(), copiesOnServer: true)
        let faulty = FaultInjectingFileProvider(base, plan: FaultPlan([]))
        let files = UndoableFileProvider(faulty, undoManager: FileUndoManager())
        try await base.writeContents(path: "/a", contents: Data("old".utf8))
        try await files.writeContents(path: "/a", contents: Data("new, longer".utf8), overwrite: true)
        // First the present content moves away, then the old one comes back.
        faulty.plan = FaultPlan([
            .init(
                .moveItem,
                on: .call(moment),
                fault: .meanwhile {
                    try? await base.writeContents(path: "/a", contents: Data("theirs".utf8), overwrite: true)
                }
            )
        ])
        if moment == 1 {
            try await files.undo()
            #expect(try await files.contents(path: "/a") == Data("old".utf8))
            try await files.redo()
        } else {
            await #expect(throws: (any Error).self) { try await files.undo() }
        }
        #expect(try await files.contents(path: "/a") == Data("theirs".utf8))
    }
}
