import FerryCore
import Foundation

extension ConformanceCheck {
    private static let undoable: [ConformanceNeed] = .writing + [.undo]

    /// Operations can be taken back, and done again.
    static let undoing: [ConformanceCheck] = [
        Self("undo.nothing", "a provider that has done nothing has nothing to undo", needs: undoable) { trial in
            trial.expect(try !trial.undoing.canUndo, "canUndo is true")
            trial.expect(try !trial.undoing.canRedo, "canRedo is true")
        },
        Self("undo.create", "making a folder can be undone and redone", needs: undoable) { trial in
            try await trial.expectUndo(of: .create(path: trial["new"]), ["a.txt": "a"], ["a.txt": "a", "new/": ""]) {
                try await $0.create(folder: "new", at: trial.root)
            }
        },
        Self("undo.copy", "a copy can be undone and redone", needs: undoable) { trial in
            let operation = FileOperationType.copy(source: .item(trial["a.txt"]), destination: .item(trial["b.txt"]))
            try await trial.expectUndo(of: operation, ["a.txt": "a"], ["a.txt": "a", "b.txt": "a"]) {
                try await $0.copyItem(path: trial["a.txt"], to: trial["b.txt"])
            }
        },
        Self("undo.move", "a move can be undone and redone", needs: undoable) { trial in
            let operation = FileOperationType.move(source: trial["a.txt"], destination: trial["b.txt"])
            try await trial.expectUndo(of: operation, ["a.txt": "a"], ["b.txt": "a"]) {
                try await $0.moveItem(path: trial["a.txt"], to: trial["b.txt"])
            }
        },
        Self("undo.changed-meanwhile", "what was changed meanwhile is not undone, and stays", needs: undoable) {
            trial in
            let undoing = try trial.undoing
            try await trial.plant(["a.txt": "a"])
            try await undoing.copyItem(path: trial["a.txt"], to: trial["b.txt"])
            guard undoing.canUndo else { throw NotApplicable("copies that can be undone") }
            try await trial.files.writeContents(path: trial["b.txt"], contents: Data(file: "changed"), overwrite: true)
            _ = try? await undoing.undo()
            let entries = try await trial.snapshot().entries
            trial.expectEqual(entries["/a.txt"], .file(Data(file: "a")), "the source")
            trial.expect(entries.values.contains(.file(Data(file: "a"))), "the content is lost")
        },
    ]
}

extension Trial {
    fileprivate func expectUndo(
        of operation: FileOperationType,
        _ before: KeyValuePairs<String, String>,
        _ after: KeyValuePairs<String, String>,
        _ work: (any FileProviderUndoable) async throws -> Void
    ) async throws {
        let undoing = try undoing
        guard undoing.canUndo(operation: operation) else { throw NotApplicable("\(operation) that can be undone") }
        try await plant(before)
        try await work(undoing)
        try await expectTree(after)
        expect(undoing.canUndo, "canUndo is false")
        try await undoing.undo()
        try await expectTree(before)
        expect(undoing.canRedo, "canRedo is false")
        try await undoing.redo()
        try await expectTree(after)
    }
}
