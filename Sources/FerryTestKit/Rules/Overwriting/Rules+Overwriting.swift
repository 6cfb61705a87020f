import FerryCore
import Foundation

extension ConformanceCheck {
    /// Existing items are replaced only when somebody says so, and never by something of another kind.
    static let overwriting: [ConformanceCheck] = writes + transfers + mergings + localFiles

    // MARK: Writing

    private static let writes: [ConformanceCheck] = [
        Self("overwriting.write-off", "a write that may not overwrite leaves the existing file", needs: .writing) {
            trial in
            try await trial.plant(["a.txt": "old"])
            await trial.expectRefusal(.fileWriteFileExists, naming: trial["a.txt"], of: "writing") {
                try await trial.files.writeContents(path: trial["a.txt"], contents: Data(file: "new"))
            }
            try await trial.expectTree(["a.txt": "old"])
        },
        Self("overwriting.write-on", "a write that may overwrite replaces all of the file", needs: .writing) { trial in
            try await trial.plant(["a.txt": "a long old content"])
            try await trial.files.writeContents(path: trial["a.txt"], contents: Data(file: "new"), overwrite: true)
            try await trial.expectTree(["a.txt": "new"])
        },
        Self("overwriting.write-on-nothing", "a write that may overwrite also makes a new file", needs: .writing) {
            trial in
            try await trial.files.writeContents(path: trial["a.txt"], contents: Data(file: "new"), overwrite: true)
            try await trial.expectTree(["a.txt": "new"])
        },
        Self("overwriting.write-in-place", "a write that need not be atomic is complete as well", needs: .writing) {
            trial in
            let files = try trial.files
            let data = Data(file: "new")
            try await files.writeContents(path: trial["a"], contents: data, atomically: false)
            try await files.writeContents(path: trial["a"], contents: Data(), atomically: false, overwrite: true)
            try await trial.expectTree(["a": ""])
            await trial.expectRefusal(.fileWriteFileExists, of: "writing") {
                try await files.writeContents(path: trial["a"], contents: data, atomically: false)
            }
            try await trial.expectTree(["a": ""])
        },
        Self("overwriting.write-to-folder", "a write never replaces a folder", needs: .writing) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            for overwrite in [false, true] {
                await trial.expectRefusal(.fileWriteFileExists, of: "writing (overwrite: \(overwrite))") {
                    try await trial.files.writeContents(
                        path: trial["folder"],
                        contents: Data(file: "x"),
                        overwrite: overwrite
                    )
                }
            }
            try await trial.expectTree(["folder/a.txt": "a"])
        },
        Self("overwriting.stream-off", "a stream that may not overwrite leaves the existing file", needs: .streaming) {
            trial in
            try await trial.plant(["a.txt": "old"])
            await trial.expectRefusal(.fileWriteFileExists, naming: trial["a.txt"], of: "writing") {
                try await trial.streams.writeStream(path: trial["a.txt"], contents: DataChunks(Data(file: "new")))
            }
            try await trial.expectTree(["a.txt": "old"])
        },
        Self("overwriting.stream-on", "a stream that may overwrite replaces all of the file", needs: .streaming) {
            trial in
            try await trial.plant(["a.txt": "a long old content"])
            try await trial.streams.writeStream(
                path: trial["a.txt"],
                contents: DataChunks(Data(file: "new")),
                options: WriteOptions(overwrite: true)
            )
            try await trial.expectTree(["a.txt": "new"])
        },
        Self("overwriting.stream-to-folder", "a stream never replaces a folder", needs: .streaming) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            for overwrite in [false, true] {
                await trial.expectRefusal(.fileWriteFileExists, of: "writing (overwrite: \(overwrite))") {
                    try await trial.streams.writeStream(
                        path: trial["folder"],
                        contents: DataChunks(Data(file: "x")),
                        options: WriteOptions(overwrite: overwrite)
                    )
                }
            }
            try await trial.expectTree(["folder/a.txt": "a"])
        },
        Self("overwriting.folder-on-folder", "making a folder that exists is refused", needs: .writing) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            await trial.expectRefusal(.fileWriteFileExists, naming: trial["folder"], of: "create(folder:at:)") {
                try await trial.files.create(folder: "folder", at: trial.root)
            }
            try await trial.expectTree(["folder/a.txt": "a"])
        },
        Self("overwriting.folder-on-file", "making a folder where a file is is refused", needs: .writing) { trial in
            try await trial.plant(["file": "x"])
            for creatingParents in [false, true] {
                await trial.expectRefusal(
                    .fileWriteFileExists,
                    of: "create(folder:creatingParents: \(creatingParents))"
                ) {
                    try await trial.files.create(folder: "file", at: trial.root, creatingParents: creatingParents)
                }
            }
            try await trial.expectTree(["file": "x"])
        },
        Self("overwriting.parents", "making parents makes what is missing, and keeps what is there", needs: .writing) {
            trial in
            let files = try trial.files
            try await trial.plant(["top/a.txt": "a"])
            try await files.create(folder: "low", at: trial["top/middle"], creatingParents: true)
            try await files.create(folder: "low", at: trial["top/middle"], creatingParents: true)
            try await files.create(folder: "top", at: trial.root, creatingParents: true)
            try await trial.expectTree(["top/a.txt": "a", "top/middle/low/": ""])
        },
    ]

    // MARK: Copying and moving onto something

    private static let transfers: [ConformanceCheck] = Transfer.allCases.flatMap { transfer in
        [
            Self(
                ID(rawValue: "overwriting.\(transfer)-off"),
                "a \(transfer) that may not overwrite leaves both files",
                needs: .writing
            ) { trial in
                try await trial.plant(["a.txt": "new", "b.txt": "old"])
                await trial.expectRefusal(.fileWriteFileExists, naming: trial["b.txt"], of: "the \(transfer)") {
                    try await transfer.perform("a.txt", to: "b.txt", overwrite: false, in: trial)
                }
                try await trial.expectTree(["a.txt": "new", "b.txt": "old"])
            },
            Self(
                ID(rawValue: "overwriting.\(transfer)-on"),
                "a \(transfer) that may overwrite replaces the file there",
                needs: .writing
            ) { trial in
                try await trial.plant(["a.txt": "new", "b.txt": "a long old content"])
                try await transfer.perform("a.txt", to: "b.txt", overwrite: true, in: trial)
                let left = transfer == .copy ? "new" : nil
                try await trial.expectTree(left.map { ["a.txt": $0, "b.txt": "new"] } ?? ["b.txt": "new"])
            },
            Self(
                ID(rawValue: "overwriting.\(transfer)-file-on-folder"),
                "a \(transfer) never replaces a folder with a file",
                needs: .writing
            ) { trial in
                try await trial.plant(["file": "x", "folder/a.txt": "a", "hollow/": ""])
                for overwrite in [false, true] {
                    for target: ItemPath in ["folder", "hollow"] where trial.keeps(target) {
                        await trial.expectRefusal(.fileWriteFileExists, of: "the \(transfer) (overwrite: \(overwrite))")
                        {
                            try await transfer.perform("file", to: target, overwrite: overwrite, in: trial)
                        }
                    }
                }
                try await trial.expectTree(["file": "x", "folder/a.txt": "a", "hollow/": ""])
            },
            Self(
                ID(rawValue: "overwriting.\(transfer)-folder-on-file"),
                "a \(transfer) never replaces a file with a folder",
                needs: .writing
            ) { trial in
                try await trial.plant(["file": "x", "folder/a.txt": "a"])
                for overwrite in [false, true] {
                    await trial.expectRefusal(.fileWriteFileExists, of: "the \(transfer) (overwrite: \(overwrite))") {
                        try await transfer.perform("folder", to: "file", overwrite: overwrite, in: trial)
                    }
                }
                try await trial.expectTree(["file": "x", "folder/a.txt": "a"])
            },
            Self(
                ID(rawValue: "overwriting.\(transfer)-folder-off"),
                "a \(transfer) of a folder that may not overwrite leaves the folder there",
                needs: .writing
            ) { trial in
                try await trial.plant(["from/a.txt": "a", "to/b.txt": "b"])
                await trial.expectRefusal(.fileWriteFileExists, naming: trial["to"], of: "the \(transfer)") {
                    try await transfer.perform("from", to: "to", overwrite: false, in: trial)
                }
                try await trial.expectTree(["from/a.txt": "a", "to/b.txt": "b"])
            },
            Self(
                ID(rawValue: "overwriting.\(transfer)-missing-source"),
                "a \(transfer) of a missing source leaves the target, whatever may be overwritten",
                needs: .writing
            ) { trial in
                try await trial.plant(["b.txt": "old", "folder/c.txt": "c"])
                for target: ItemPath in ["b.txt", "folder", "new"] {
                    await trial.expectRefusal(
                        .fileNoSuchFile,
                        naming: trial["gone"],
                        of: "the \(transfer) to \(target)"
                    ) {
                        try await transfer.perform("gone", to: target, overwrite: true, in: trial)
                    }
                }
                try await trial.expectTree(["b.txt": "old", "folder/c.txt": "c"])
            },
        ]
    }

    // MARK: Merging folders

    private static let mergings: [ConformanceCheck] = Transfer.allCases.flatMap { transfer in
        [
            Self(
                ID(rawValue: "overwriting.\(transfer)-merges"),
                "a \(transfer) of a folder onto a folder replaces files of the same name and keeps the others",
                needs: .writing
            ) { trial in
                try await trial.plant([
                    "from/same.txt": "new", "from/only-from.txt": "f", "from/inner/same.txt": "new inner",
                    "from/inner/deep/f.txt": "deep",
                    "to/same.txt": "old", "to/only-to.txt": "t", "to/inner/same.txt": "old inner",
                    "to/inner/kept.txt": "kept",
                ])
                let before = try await trial.snapshot()
                try await transfer.perform("from", to: "to", overwrite: true, in: trial)
                var expected = TreeContents([
                    "to/same.txt": "new", "to/only-from.txt": "f", "to/inner/same.txt": "new inner",
                    "to/inner/deep/f.txt": "deep", "to/only-to.txt": "t", "to/inner/kept.txt": "kept",
                ])
                if transfer == .copy {
                    let sources = before.entries.filter { $0.key == "/from" || $0.key.isBelow("/from") }
                    expected.entries.merge(sources) { own, _ in own }
                }
                for difference in try await trial.snapshot().differences(from: expected) { trial.fail(difference) }
            },
            Self(
                ID(rawValue: "overwriting.\(transfer)-merge-clash"),
                "a \(transfer) that meets a folder where it has a file refuses, and loses nothing",
                needs: .writing
            ) { trial in
                try await trial.plant([
                    "from/clash": "a file", "from/z.txt": "z", "to/clash/kept.txt": "kept", "to/y.txt": "y",
                ])
                await trial.expectRefusal(.fileWriteFileExists, of: "the \(transfer)") {
                    try await transfer.perform("from", to: "to", overwrite: true, in: trial)
                }
                let entries = try await trial.snapshot().entries
                trial.expectEqual(entries["/from/clash"], .file(Data(file: "a file")), "the file that clashes")
                trial.expectEqual(entries["/to/clash/kept.txt"], .file(Data(file: "kept")), "the file in the folder")
                trial.expectEqual(entries["/to/y.txt"], .file(Data(file: "y")), "the other file")
                trial.expect(
                    [entries["/from/z.txt"], entries["/to/z.txt"]].contains(.file(Data(file: "z"))),
                    "z.txt is lost"
                )
            },
        ]
    }

    // MARK: Uploading and downloading

    private static let localFiles: [ConformanceCheck] = [
        Self("overwriting.upload-off", "an upload that may not overwrite leaves the existing file", needs: .writing) {
            trial in
            try await trial.plant(["a.txt": "old"])
            try await withLocalFolder { folder in
                let url = try folder.write("up", Data(file: "new"))
                await trial.expectRefusal(.fileWriteFileExists, of: "uploading") {
                    try await trial.files.copyItem(localFile: url, to: trial["a.txt"])
                }
            }
            try await trial.expectTree(["a.txt": "old"])
        },
        Self("overwriting.upload-on", "an upload that may overwrite replaces the file", needs: .writing) { trial in
            try await trial.plant(["a.txt": "a long old content"])
            try await withLocalFolder { folder in
                let url = try folder.write("up", Data(file: "new"))
                try await trial.files.copyItem(localFile: url, to: trial["a.txt"], overwrite: true)
            }
            try await trial.expectTree(["a.txt": "new"])
        },
        Self(
            "overwriting.download-off",
            "a download that may not overwrite leaves the local file",
            needs: [.operations]
        ) {
            trial in
            try await trial.plant(["a.txt": "new"])
            try await withLocalFolder { folder in
                let url = try folder.write("down", Data(file: "old"))
                await trial.expectRefusal(.fileWriteFileExists, of: "downloading") {
                    try await trial.operations.copyItem(path: trial["a.txt"], toLocalURL: url)
                }
                trial.expectEqual(try folder.read("down"), Data(file: "old"), "the local file")
                trial.expectEqual(try folder.names, ["down"], "names in the local folder")
            }
        },
        Self("overwriting.download-on", "a download that may overwrite replaces the local file", needs: [.operations]) {
            trial in
            try await trial.plant(["a.txt": "new"])
            try await withLocalFolder { folder in
                let url = try folder.write("down", Data(file: "a long old content"))
                try await trial.operations.copyItem(path: trial["a.txt"], toLocalURL: url, overwrite: true)
                trial.expectEqual(try folder.read("down"), Data(file: "new"), "the local file")
                trial.expectEqual(try folder.names, ["down"], "names in the local folder")
            }
        },
        Self("overwriting.download-to-folder", "a download never replaces a local folder", needs: [.operations]) {
            trial in
            try await trial.plant(["a.txt": "new"])
            try await withLocalFolder { folder in
                let url = folder["folder"]
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
                for overwrite in [false, true] {
                    await trial.expectRefusal(.fileWriteFileExists, of: "downloading (overwrite: \(overwrite))") {
                        try await trial.operations.copyItem(
                            path: trial["a.txt"],
                            toLocalURL: url,
                            overwrite: overwrite
                        )
                    }
                }
                trial.expectEqual(try folder.names, ["folder"], "names in the local folder")
            }
        },
        Self(
            "overwriting.download-without-folder",
            "a download into a missing local folder throws fileNoSuchFile",
            needs: [.operations]
        ) { trial in
            try await trial.plant(["a.txt": "new"])
            try await withLocalFolder { folder in
                await trial.expectRefusal(.fileNoSuchFile, of: "downloading") {
                    try await trial.operations.copyItem(path: trial["a.txt"], toLocalURL: folder["gone/a.txt"])
                }
                trial.expectEqual(try folder.names, [], "names in the local folder")
            }
        },
    ]
}

/// The two ways in which an item gets to another path.
enum Transfer: String, Sendable, CaseIterable, CustomStringConvertible {
    case copy
    case move

    var description: String { rawValue }

    func perform(_ source: ItemPath, to target: ItemPath, overwrite: Bool = false, in trial: Trial) async throws {
        let files = try trial.files
        switch self {
        case .copy: try await files.copyItem(path: trial[source], to: trial[target], overwrite: overwrite)
        case .move: try await files.moveItem(path: trial[source], to: trial[target], overwrite: overwrite)
        }
    }
}

extension Trial {
    /// Returns whether the storage can have this planted folder at all.
    fileprivate func keeps(_ folder: ItemPath) -> Bool {
        folder != "hollow" || provider.capabilities.keepsEmptyFolders
    }
}
