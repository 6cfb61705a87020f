import FerryCore
import Foundation

extension ConformanceCheck {
    /// Removed items are gone, and nothing else.
    static let removing: [ConformanceCheck] = [
        Self("removing.file", "a removed file is gone from its folder and by its path", needs: .writing) { trial in
            try await trial.plant(["a.txt": "a", "b.txt": "b"])
            try await trial.files.removeItem(path: trial["a.txt"])
            await trial.expectNothing(at: trial["a.txt"])
            try await trial.expectTree(["b.txt": "b"])
        },
        Self("removing.empty-folder", "an empty folder can be removed", needs: .writing + [.emptyFolders]) { trial in
            try await trial.plant(["folder/": ""])
            try await trial.files.removeItem(path: trial["folder"])
            try await trial.expectTree([:])
        },
        Self("removing.full-folder", "a folder is removed with all below it", needs: .writing) { trial in
            try await trial.plant([
                "folder/a.txt": "a", "folder/one/b.txt": "b", "folder/one/two/c.txt": "c", "stays/d.txt": "d",
            ])
            try await trial.files.removeItem(path: trial["folder"])
            for path: ItemPath in ["folder", "folder/a.txt", "folder/one/two/c.txt"] {
                await trial.expectNothing(at: trial[path])
            }
            try await trial.expectTree(["stays/d.txt": "d"])
        },
        Self("removing.siblings", "items whose names begin alike stay", needs: .writing) { trial in
            try await trial.plant(["folder/a.txt": "a", "folder2/b.txt": "b", "folder.txt": "c", "fold": "d"])
            try await trial.files.removeItem(path: trial["folder"])
            try await trial.expectTree(["folder2/b.txt": "b", "folder.txt": "c", "fold": "d"])
        },
        Self("removing.root", "the root can't be removed", needs: .writing) { trial in
            try await trial.plant(["a.txt": "a"])
            await trial.expectRefusal(.fileWriteNoPermission, of: "removeItem") {
                try await trial.files.removeItem(path: .root)
            }
            try await trial.expectTree(["a.txt": "a"])
        },
        Self("removing.twice", "what was removed can't be removed again", needs: .writing) { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.files.removeItem(path: trial["a.txt"])
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["a.txt"], of: "removing it again") {
                try await trial.files.removeItem(path: trial["a.txt"])
            }
        },
        Self("removing.and-making-again", "a name is free again for an item of any kind", needs: .writing) { trial in
            let files = try trial.files
            try await trial.plant(["name": "file"])
            try await files.removeItem(path: trial["name"])
            try await files.create(folder: "name", at: trial.root)
            try await files.writeContents(path: trial["name/a.txt"], contents: Data(file: "a"))
            try await files.removeItem(path: trial["name"])
            try await files.writeContents(path: trial["name"], contents: Data(file: "new"))
            try await trial.expectTree(["name": "new"])
        },
        Self("removing.below-file", "there is nothing to remove below a file", needs: .writing) { trial in
            try await trial.plant(["file": "x"])
            await trial.expectRefusal(.fileNoSuchFile, of: "removeItem") {
                try await trial.files.removeItem(path: trial["file/below"])
            }
            try await trial.expectTree(["file": "x"])
        },
        Self("removing.many", "a folder of 200 items is removed as a whole", needs: .writing) { trial in
            try await trial.plant(["folder/inner/": "", "folder/inner/a.txt": "a"])
            for number in 0..<200 {
                let path = trial["folder"].appending("item \(number)")
                try await trial.fixtures.writeContents(path: path, contents: Data())
            }
            try await trial.files.removeItem(path: trial["folder"])
            try await trial.expectTree([:])
        },
    ]
}
