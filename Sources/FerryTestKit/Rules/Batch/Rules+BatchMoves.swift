import FerryCore
import Foundation

extension ConformanceCheck {
    private static let moving: [ConformanceNeed] = .writing + [.batches]

    /// Items that are moved together.
    static let batchMoves: [ConformanceCheck] = [
        Self("batches.moving", "items that are moved together are at their new paths only", needs: moving) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b", "target/": "", "target/c.txt": "c", "d.txt": "d"])
            let results = try await trial.move([
                ("a.txt", "target/a ü.txt"), ("folder", "target/folder"), ("d.txt", "e.txt"),
            ])
            trial.expectOutcomes([nil, nil, nil], of: results)
            try await trial.expectTree([
                "target/a ü.txt": "a", "target/folder/b.txt": "b", "target/c.txt": "c", "e.txt": "d",
            ])
        },
        Self("batches.moving-many", "of many items that are moved together, each has its own result", needs: moving) {
            trial in
            try await trial.plant(["target/": "", "target/x": "x"])
            var moves: [(ItemPath, ItemPath)] = []
            for number in 0..<45 {
                let name = "\(number).txt"
                if number % 7 != 3 { try await trial.plant(name, Data()) }
                moves.append((ItemPath.root.appending(name), ("/target" as ItemPath).appending(name)))
            }
            let outcomes = moves.indices.map { $0 % 7 == 3 ? CocoaError.Code.fileNoSuchFile : nil }
            trial.expectOutcomes(outcomes, of: try await trial.move(moves))
            let names = try await trial.provider.contentsOfDirectory(path: trial["target"]).map(\.name)
            trial.expectEqual(names.count, 1 + outcomes.count { $0 == nil }, "items that have arrived")
        },
        Self(
            "batches.moving-existing",
            "of items that are moved together, none replaces another unasked",
            needs: moving
        ) { trial in
            try await trial.plant(["a.txt": "a", "b.txt": "old", "c.txt": "c"])
            let results = try await trial.move([("a.txt", "b.txt"), ("c.txt", "d.txt")])
            trial.expectOutcomes([.fileWriteFileExists, nil], of: results)
            try await trial.expectTree(["a.txt": "a", "b.txt": "old", "d.txt": "c"])
        },
        Self(
            "batches.moving-onto",
            "items that are moved together replace files and are merged into folders where they may",
            needs: moving
        ) { trial in
            try await trial.plant(["a.txt": "a", "b.txt": "old", "c.txt": "c", "one/d.txt": "d", "two/e.txt": "e"])
            let moves: [(ItemPath, ItemPath)] = [("a.txt", "b.txt"), ("c.txt", "new.txt"), ("one", "two")]
            trial.expectOutcomes([nil, nil, nil], of: try await trial.move(moves, overwrite: true))
            try await trial.expectTree(["b.txt": "a", "new.txt": "c", "two/d.txt": "d", "two/e.txt": "e"])
        },
        Self(
            "batches.moving-failing",
            "an item that can't be moved keeps no other from it, and has the error of a single move",
            needs: moving
        ) { trial in
            try await trial.plant(["a.txt": "a", "b.txt": "b", "folder/c.txt": "c", "d.txt": "d"])
            let moves: [(ItemPath, ItemPath)] = [
                ("gone", "new"), ("a.txt", "missing/a.txt"), ("folder", "folder/inner"), ("b.txt", "b2.txt"),
                ("d.txt", "d.txt"),
            ]
            let outcomes: [CocoaError.Code?] = [
                .fileNoSuchFile, .fileNoSuchFile, .fileWriteInvalidFileName, nil, .fileWriteFileExists,
            ]
            trial.expectOutcomes(outcomes, of: try await trial.move(moves))
            try await trial.expectTree(["a.txt": "a", "b2.txt": "b", "folder/c.txt": "c", "d.txt": "d"])
        },
        Self(
            "batches.moving-related",
            "moves that depend on one another are made in the order of the list",
            needs: moving
        ) { trial in
            try await trial.plant([
                "a": "a", "b": "b", "x": "x", "y": "y", "old/c": "c", "old/k": "k", "p": "p", "q": "q",
            ])
            // There is room for a once b has gone, none for x as long as y is there, a place for d once old is new, and no
            // way to swap p and q.
            let moves: [(ItemPath, ItemPath)] = [
                ("b", "c"), ("a", "b"), ("x", "y"), ("y", "z"), ("old", "new"), ("new/c", "d"), ("p", "q"), ("q", "p"),
            ]
            let taken = CocoaError.Code.fileWriteFileExists
            trial.expectOutcomes([nil, nil, taken, nil, nil, nil, taken, taken], of: try await trial.move(moves))
            try await trial.expectTree([
                "c": "b", "b": "a", "x": "x", "z": "y", "new/k": "k", "d": "c", "p": "p", "q": "q",
            ])
        },
    ]
}

extension Trial {
    /// Moves items below the rule's own folder together.
    fileprivate func move(
        _ moves: [(ItemPath, ItemPath)],
        overwrite: Bool = false
    ) async throws -> [Result<Void, any Error>] {
        let moves = moves.map { ItemMove(path: self[$0.0], to: self[$0.1]) }
        return try await batch.moveItems(moves, overwrite: overwrite)
    }
}
