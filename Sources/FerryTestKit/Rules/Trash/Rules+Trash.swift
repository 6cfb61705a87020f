import FerryCore
import Foundation

extension ConformanceCheck {
    private static let trashing: [ConformanceNeed] = .writing + [.trash]

    /// Items that are put into the trash can come back; other people's items in it are never touched.
    static let trash: [ConformanceCheck] = [
        Self("trash.round-trip", "a file goes into the trash and comes back with its content", needs: trashing) {
            trial in
            try await trial.plant(["a.txt": "a", "stays": "s"])
            let item = try await trial.trash.trashItem(path: trial["a.txt"])
            await trial.expectNothing(at: trial["a.txt"])
            try await trial.expectTree(["stays": "s"])
            try await trial.trash.restoreFromTrash(item, to: nil)
            try await trial.expectTree(["a.txt": "a", "stays": "s"])
            try await trial.expectNotInTrash(item)
        },
        Self("trash.folder", "a folder goes into the trash and comes back with all below it", needs: trashing) {
            trial in
            try await trial.plant(["folder/a.txt": "a", "folder/inner/b.txt": "b"])
            let item = try await trial.trash.trashItem(path: trial["folder"])
            try await trial.expectTree([:])
            try await trial.trash.restoreFromTrash(item, to: nil)
            try await trial.expectTree(["folder/a.txt": "a", "folder/inner/b.txt": "b"])
        },
        Self("trash.listing", "the trash tells what an item was, and where it came from", needs: trashing) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            let item = try await trial.trash.trashItem(path: trial["folder/a.txt"])
            let listed = try await trial.trash.trashedItems().first { $0.id == item.id }
            for told in [item, try trial.require(listed, "the item is not listed")] {
                trial.expectEqual(told.originalPath, trial["folder/a.txt"], "where it came from")
                trial.expectEqual(told.item.name, "a.txt", "the name")
                trial.expect(told.item.isRegularFile, "the file is a \(told.item.type)")
            }
            try await trial.trash.emptyTrash([item])
        },
        Self("trash.same-name", "items of one path are told apart in the trash, latest first", needs: trashing) {
            trial in
            let trash = try trial.trash
            try await trial.plant(["a.txt": "one"])
            let first = try await trash.trashItem(path: trial["a.txt"])
            try await trial.plant(["a.txt": "two"])
            let second = try await trash.trashItem(path: trial["a.txt"])
            trial.expect(first.id != second.id, "both are '\(first.id)'")
            let order = try await trash.trashedItems().map(\.id).filter { [first.id, second.id].contains($0) }
            trial.expectEqual(Set(order), [first.id, second.id], "identifiers")
            let dates = try await trash.trashedItems().compactMap(\.deletionDate)
            trial.expect(zip(dates, dates.dropFirst()).allSatisfy { $0 >= $1 }, "the latest is not first")
            try await trash.restoreFromTrash(first, to: nil)
            try await trial.expectTree(["a.txt": "one"])
            try await trash.restoreFromTrash(second, to: trial["b.txt"])
            try await trial.expectTree(["a.txt": "one", "b.txt": "two"])
        },
        Self("trash.restore-elsewhere", "an item can come back to another place", needs: trashing) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            let item = try await trial.trash.trashItem(path: trial["a.txt"])
            try await trial.trash.restoreFromTrash(item, to: trial["folder/new.txt"])
            try await trial.expectTree(["folder/b.txt": "b", "folder/new.txt": "a"])
        },
        Self("trash.restore-onto", "an item that comes back never replaces what exists", needs: trashing) { trial in
            try await trial.plant(["a.txt": "old"])
            let item = try await trial.trash.trashItem(path: trial["a.txt"])
            try await trial.plant(["a.txt": "new"])
            await trial.expectRefusal(.fileWriteFileExists, of: "restoring") {
                try await trial.trash.restoreFromTrash(item, to: nil)
            }
            try await trial.expectTree(["a.txt": "new"])
            try await trial.trash.restoreFromTrash(item, to: trial["b.txt"])
            try await trial.expectTree(["a.txt": "new", "b.txt": "old"])
        },
        Self("trash.folder-gone", "an item whose folder is gone stays in the trash", needs: trashing) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            let item = try await trial.trash.trashItem(path: trial["folder/a.txt"])
            try await trial.files.removeItem(path: trial["folder"])
            await trial.expectRefusal(.fileNoSuchFile, of: "restoring") {
                try await trial.trash.restoreFromTrash(item, to: nil)
            }
            try await trial.trash.restoreFromTrash(item, to: trial["b.txt"])
            try await trial.expectTree(["b.txt": "a"])
        },
        Self("trash.twice", "an item comes back once", needs: trashing) { trial in
            try await trial.plant(["a.txt": "a"])
            let item = try await trial.trash.trashItem(path: trial["a.txt"])
            try await trial.trash.restoreFromTrash(item, to: nil)
            await trial.expectRefusal(.fileNoSuchFile, of: "restoring again") {
                try await trial.trash.restoreFromTrash(item, to: trial["b.txt"])
            }
            try await trial.expectTree(["a.txt": "a"])
        },
        Self("trash.remove-some", "removing some items from the trash leaves the others", needs: trashing) { trial in
            try await trial.plant(["a.txt": "a", "b.txt": "b"])
            let first = try await trial.trash.trashItem(path: trial["a.txt"])
            let second = try await trial.trash.trashItem(path: trial["b.txt"])
            try await trial.trash.emptyTrash([first])
            try await trial.expectNotInTrash(first)
            await trial.expectRefusal(.fileNoSuchFile, of: "restoring what is gone") {
                try await trial.trash.restoreFromTrash(first, to: nil)
            }
            try await trial.trash.restoreFromTrash(second, to: nil)
            try await trial.expectTree(["b.txt": "b"])
        },
        Self("trash.empty", "emptying the trash leaves nothing in it, and everything else", needs: trashing) { trial in
            // Never on a trash that may hold somebody's files.
            guard trial.stage.ownsTrash else { throw NotApplicable("a trash of its own (`ownsTrash`)") }
            try await trial.plant(["a.txt": "a", "b/c.txt": "c", "stays": "s"])
            try await trial.trash.trashItem(path: trial["a.txt"])
            try await trial.trash.trashItem(path: trial["b"])
            try await trial.trash.emptyTrash(nil)
            trial.expectEqual(try await trial.trash.trashedItems(), [], "items in the trash")
            try await trial.expectTree(["stays": "s"])
        },
        Self("trash.missing", "a missing item can't be put into the trash, nor can the root", needs: trashing) {
            trial in
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "trashing") {
                try await trial.trash.trashItem(path: trial["gone"])
            }
            await trial.expectRefusal(.fileWriteNoPermission, of: "trashing the root") {
                try await trial.trash.trashItem(path: .root)
            }
        },
    ]
}

extension Trial {
    fileprivate func expectNotInTrash(
        _ item: TrashedItem,
        filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        let isThere = try await trash.trashedItems().contains { $0.id == item.id }
        expect(!isThere, "it is still in the trash", filePath: filePath, line: line)
    }
}
