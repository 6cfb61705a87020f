import FerryCore
import Foundation

extension ConformanceCheck {
    private static let needs: [ConformanceNeed] = .writing + [.newFolders]

    /// Folders that come with files in them.
    static let newFolders: [ConformanceCheck] = [
        Self("newfolder.new", "a folder that comes with files has them all, each with its bytes", needs: needs) {
            trial in
            try await trial.plant(["above/old.txt": "old"])
            _ = try await trial.folders
            try await trial.writeFolder("above/new ü", ["a.txt": "a", "b #1%.txt": "bb", "empty": ""])
            try await trial.writeFolder("bare", [:])
            try await trial.expectTree([
                "above/old.txt": "old", "above/new ü/a.txt": "a", "above/new ü/b #1%.txt": "bb",
                "above/new ü/empty": "", "bare/": "",
            ])
        },
        Self("newfolder.existing", "it takes the place of nothing", needs: needs) { trial in
            try await trial.plant(["file": "old", "folder/a.txt": "old", "folder/other": "other", "vacant/": ""])
            _ = try await trial.folders
            for name in ["file", "folder", "vacant"] {
                await trial.expectRefusal(
                    .fileWriteFileExists,
                    naming: trial[ItemPath(stringLiteral: name)],
                    of: "writing \(name)"
                ) {
                    try await trial.writeFolder(name, ["a.txt": "new", "b.txt": "new"])
                }
            }
            try await trial.expectTree(["file": "old", "folder/a.txt": "old", "folder/other": "other", "vacant/": ""])
        },
        Self("newfolder.missing", "without a parent there is none", needs: needs) { trial in
            try await trial.plant(["file": "old"])
            _ = try await trial.folders
            await trial.expectRefusal(.fileNoSuchFile, of: "writing without a folder above") {
                try await trial.writeFolder("missing/new", ["a.txt": "a", "b.txt": "b"])
            }
            do {
                try await trial.writeFolder("file/new", ["a.txt": "a", "b.txt": "b"])
                trial.fail("a folder came to be in a file")
            } catch {
                try await trial.expectTree(["file": "old"])
            }
        },
        Self("newfolder.failing", "where one of its files can't be written, nothing is there", needs: needs) { trial in
            _ = try await trial.folders
            let name = String(repeating: "n", count: 300)
            for names in [["a.txt", "a.txt"], ["a.txt", name], ["a.txt", "below/b.txt"]] {
                let files = names.map {
                    BulkFile(path: trial[ItemPath(stringLiteral: "new/\($0)")], contents: Data(file: $0))
                }
                do {
                    try await trial.folders.writeFolder(path: trial["new"], files: files)
                    // Long names are for the storage to take or not.
                    guard names.contains(name) else {
                        trial.fail("a folder with \(names) came to be")
                        continue
                    }
                    try await trial.operations.removeItem(path: trial["new"])
                } catch let error as NotApplicable {
                    throw error
                } catch {
                    try await trial.expectTree([:])
                }
            }
        },
    ]
}

extension Trial {
    /// Makes a folder with files in it.
    fileprivate func writeFolder(_ path: String, _ contents: KeyValuePairs<String, String>) async throws {
        let folder = self[ItemPath(stringLiteral: path)]
        let files = contents.map { BulkFile(path: folder.appending($0), contents: Data(file: $1)) }
        try await folders.writeFolder(path: folder, files: files)
    }

    fileprivate var folders: any FileProviderFolderWriting {
        get async throws {
            // A server may be quicker so, and nobody have asked it yet what it is.
            try await provider.learnIfNeeded()
            let storage = try require(provider as? any FileProviderFolderWriting, "it makes no folders with files")
            guard storage.newFolderLimits != nil else { throw NotApplicable("a storage that is quicker so") }
            return storage
        }
    }
}
