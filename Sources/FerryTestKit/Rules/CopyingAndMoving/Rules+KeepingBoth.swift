import FerryCore
import Foundation

extension ConformanceCheck {
    /// An item that keeps both gets a free name: nothing that exists is replaced or merged into.
    static let keepingBoth: [ConformanceCheck] = [
        Self("keeping-both.free", "a copy that keeps both gets the target's name if that is free", needs: .writing) {
            trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            let item = try await trial.files.copyItem(path: trial["a.txt"], keepingBothAt: trial["folder/a.txt"])
            trial.expectEqual(item.path, trial["folder/a.txt"], "the path of the copy")
            try await trial.expectTree(["a.txt": "a", "folder/a.txt": "a", "folder/b.txt": "b"])
        },
        Self("keeping-both.copy", "a copy that keeps both leaves the file at the target alone", needs: .writing) {
            trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            var names: [String] = []
            for _ in 1...2 {
                let item = try await trial.files.copyItem(path: trial["a.txt"], keepingBothAt: trial["folder/b.txt"])
                names.append(try trial.expectRenamed(item, from: trial["folder/b.txt"]))
            }
            let (first, second) = (names[0], names[1])
            try await trial.expectTree([
                "a.txt": "a", "folder/b.txt": "b", "folder/\(first)": "a", "folder/\(second)": "a",
            ])
        },
        Self("keeping-both.move", "a move that keeps both leaves the file at the target alone", needs: .writing) {
            trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            let item = try await trial.files.moveItem(path: trial["a.txt"], keepingBothAt: trial["folder/b.txt"])
            let name = try trial.expectRenamed(item, from: trial["folder/b.txt"])
            try await trial.expectTree(["folder/b.txt": "b", "folder/\(name)": "a"])
            await trial.expectRefusal(.fileWriteFileExists, of: "the move onto itself") {
                try await trial.files.moveItem(path: item.path, keepingBothAt: item.path)
            }
            try await trial.expectTree(["folder/b.txt": "b", "folder/\(name)": "a"])
        },
        Self("keeping-both.folders", "folders that keep both are not merged", needs: .writing) { trial in
            try await trial.plant(["one/a.txt": "a", "two/b.txt": "b"])
            let copy = try await trial.files.copyItem(path: trial["one"], keepingBothAt: trial["two"])
            let copied = try trial.expectRenamed(copy, from: trial["two"])
            try await trial.expectTree(["one/a.txt": "a", "two/b.txt": "b", "\(copied)/a.txt": "a"])
            let move = try await trial.files.moveItem(path: trial["one"], keepingBothAt: trial["two"])
            let moved = try trial.expectRenamed(move, from: trial["two"])
            try await trial.expectTree(["\(moved)/a.txt": "a", "two/b.txt": "b", "\(copied)/a.txt": "a"])
        },
        Self(
            "keeping-both.new-folder",
            "a new folder that keeps both gets a free name",
            needs: .writing + [.emptyFolders]
        ) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            let item = try await trial.files.createFolder(keepingBothAt: trial["folder"])
            let name = try trial.expectRenamed(item, from: trial["folder"])
            trial.expect(item.isDirectory, "\(name) is no folder")
            try await trial.expectTree(["folder/a.txt": "a", "\(name)/": ""])
        },
        Self("keeping-both.write", "a stream that keeps both becomes a file with a free name", needs: .streaming) {
            trial in
            try await trial.plant(["a.txt": "a"])
            let data = Trial.bytes(2 * DataChunks.chunkSize + 1)
            let item = try await trial.streams.writeStream(
                keepingBothAt: trial["a.txt"],
                contents: DataChunks(data),
                length: Int64(data.count),
                modifiedDate: nil,
                reporting: nil
            )
            let name = try trial.expectRenamed(item, from: trial["a.txt"])
            try await trial.expectContents(of: trial["a.txt"], "a")
            try await trial.expectContents(of: item.path, data)
            let names = try await trial.fixtures.contentsOfDirectory(path: trial.root).map(\.name).sorted()
            trial.expectEqual(names, ["a.txt", name].sorted(), "names")
        },
        Self(
            "keeping-both.missing-folder",
            "what keeps both in a missing folder throws fileNoSuchFile",
            needs: .writing
        ) { trial in
            try await trial.plant(["a.txt": "a"])
            await trial.expectRefusal(.fileNoSuchFile, of: "the copy") {
                try await trial.files.copyItem(path: trial["a.txt"], keepingBothAt: trial["gone/a.txt"])
            }
            await trial.expectRefusal(.fileNoSuchFile, of: "the move") {
                try await trial.files.moveItem(path: trial["a.txt"], keepingBothAt: trial["gone/a.txt"])
            }
            try await trial.expectTree(["a.txt": "a"])
        },
    ]
}

extension Trial {
    /// Notes failures unless an item has another name in the same folder, with the same extension.
    ///
    /// - Parameters:
    ///   - item: The item that was made.
    ///   - path: The path that was taken.
    /// - Returns: The item's name.
    /// - Throws: The end of the rule, if it has the name that was taken or is elsewhere.
    fileprivate func expectRenamed(_ item: FileObject, from path: ItemPath) throws -> String {
        guard item.path != path, item.path.parent == path.parent else {
            fail("the new item is at \(item.path), and should have a free name beside \(path)")
            throw TrialEnded()
        }
        expectEqual(item.path.pathExtension, path.pathExtension, "the extension of \(item.path.lastName)")
        return item.path.lastName
    }
}
