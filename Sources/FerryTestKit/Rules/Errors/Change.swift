import FerryCore
import Foundation

/// The ways to change a storage, as the rules about read-only ones and about cancelling try them.
enum Change {
    typealias Work = @Sendable () async throws -> Void

    /// Each change that a provider offers, in a folder that holds `a.txt` and `folder/b.txt`.
    static func all(of files: any FileProvider, in trial: Trial) -> [(name: String, work: Work)] {
        var changes: [(name: String, work: Work)] = [
            ("writing a new file", { try await files.writeContents(path: trial["new"], contents: Data(file: "x")) }),
            (
                "overwriting a file",
                { try await files.writeContents(path: trial["a.txt"], contents: Data(file: "x"), overwrite: true) }
            ),
            ("making a folder", { try await files.create(folder: "new", at: trial.root) }),
            ("copying a file", { try await files.copyItem(path: trial["a.txt"], to: trial["new"]) }),
            ("copying a folder", { try await files.copyItem(path: trial["folder"], to: trial["new"]) }),
            ("moving a file", { try await files.moveItem(path: trial["a.txt"], to: trial["new"]) }),
            ("moving a folder", { try await files.moveItem(path: trial["folder"], to: trial["new"]) }),
            ("removing a file", { try await files.removeItem(path: trial["a.txt"]) }),
            ("removing a folder", { try await files.removeItem(path: trial["folder"]) }),
            (
                "uploading",
                {
                    try await withLocalFolder { folder in
                        let url = try folder.write("a", Data(file: "x"))
                        try await files.copyItem(localFile: url, to: trial["new"])
                    }
                }
            ),
        ]
        if let streams = files as? any FileProviderReadWriteProgressive {
            changes.append(
                (
                    "streaming",
                    { try await streams.writeStream(path: trial["new"], contents: DataChunks(Data(file: "x"))) }
                )
            )
        }
        if let links = files as? any FileProviderSymbolicLink {
            changes.append(
                ("linking", { try await links.create(symbolicLink: trial["new"], withDestination: "a.txt") })
            )
        }
        if let trash = files as? any FileProviderTrash {
            changes.append(("trashing", { try await trash.trashItem(path: trial["a.txt"]) }))
        }
        return changes
    }
}
