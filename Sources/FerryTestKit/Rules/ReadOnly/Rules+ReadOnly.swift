import FerryCore
import Foundation

extension ConformanceCheck {
    /// On a read-only storage, what changes it is refused, whatever state it is in.
    static let readOnly: [ConformanceCheck] = [
        Self(
            "read-only.changes",
            "every change of a read-only storage throws fileWriteVolumeReadOnly and changes nothing",
            needs: [.files, .readOnly]
        ) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            for (name, change) in Change.all(of: try trial.files, in: trial) {
                try await trial.expectNoChange {
                    await trial.expectRefusal(.fileWriteVolumeReadOnly, of: name, change)
                }
            }
        },
        Self(
            "read-only.existing",
            "writing to what exists, or is missing, is refused as read-only too",
            needs: [.files, .readOnly]
        ) { trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "a"])
            try await trial.expectNoChange {
                await trial.expectRefusal(.fileWriteVolumeReadOnly, of: "writing to an existing file") {
                    try await files.writeContents(path: trial["a.txt"], contents: Data())
                }
                await trial.expectRefusal(.fileWriteVolumeReadOnly, of: "overwriting a file") {
                    try await files.writeContents(path: trial["a.txt"], contents: Data(), overwrite: true)
                }
            }
        },
        Self(
            "read-only.stream-untouched",
            "a read-only storage does not even begin a source",
            needs: [.streams, .readOnly]
        ) { trial in
            let chunks = ScriptedChunks(Data(file: "x"), chunkSize: 1)
            await trial.expectRefusal(.fileWriteVolumeReadOnly, of: "writing") {
                try await trial.streams.writeStream(path: trial["new"], contents: chunks)
            }
            trial.expectEqual(chunks.handedOut, 0, "chunks that were taken")
        },
        Self("read-only.reading", "a read-only storage can be listed, read and searched", needs: [.reading, .readOnly])
        {
            trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            try await trial.expectContents(of: trial["folder/b.txt"], "b")
            trial.expectEqual(try await trial.search("/", recursive: true, .all).count, 3, "items")
        },
        Self("read-only.download", "a file of a read-only storage can be downloaded", needs: [.operations, .readOnly]) {
            trial in
            try await trial.plant(["a.txt": "a"])
            try await withLocalFolder { folder in
                try await trial.operations.copyItem(path: trial["a.txt"], toLocalURL: folder["down"])
                trial.expectEqual(try folder.read("down"), Data(file: "a"), "the local file")
            }
        },
    ]
}
