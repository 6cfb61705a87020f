import FerryCore
import Foundation
import NIOCore

extension ConformanceCheck {
    private static let size = 2 * DataChunks.chunkSize + 100

    /// Progress never goes backwards, and ends at its total.
    static let progress: [ConformanceCheck] = [
        Self("progress.read", "reading counts the bytes up to the size", needs: [.reading]) { trial in
            let path = try await trial.plant("a.bin", Trial.bytes(size))
            let progress = RecordingProgress.make()
            _ = try await trial.reading.contents(path: path, reporting: progress)
            trial.expect(progress, endsAt: Int64(size))
        },
        Self("progress.read-part", "reading a part counts the part's bytes", needs: [.reading]) { trial in
            let path = try await trial.plant("a.bin", Trial.bytes(size))
            let progress = RecordingProgress.make()
            _ = try await trial.reading.contents(path: path, offset: 10, length: 500, reporting: progress)
            trial.expect(progress, endsAt: 500)
        },
        Self("progress.stream", "a stream counts the bytes as they are read", needs: [.streams]) { trial in
            let path = try await trial.plant("a.bin", Trial.bytes(size))
            let progress = RecordingProgress.make()
            let stream = try await trial.streams.contentStream(path: path, range: .all, reporting: progress)
            var met: Int64 = 0
            for try await chunk in stream {
                met += Int64(chunk.readableBytes)
                trial.expect(progress.completedUnitCount <= size, "more is counted than there is")
            }
            trial.expectEqual(met, Int64(size), "bytes")
            trial.expect(progress, endsAt: Int64(size))
        },
        Self("progress.write", "writing counts the bytes up to the size", needs: .writing) { trial in
            let progress = RecordingProgress.make()
            try await trial.files.writeContents(
                path: trial["a.bin"],
                contents: Trial.bytes(size),
                atomically: true,
                overwrite: false,
                reporting: progress
            )
            trial.expect(progress, endsAt: Int64(size))
        },
        Self("progress.write-stream", "a stream of known length counts up to it", needs: .streaming) { trial in
            let progress = RecordingProgress.make()
            try await trial.streams.writeStream(
                path: trial["a.bin"],
                contents: ScriptedChunks(Trial.bytes(size), chunkSize: 10_000),
                length: Int64(size),
                options: WriteOptions(),
                reporting: progress
            )
            trial.expect(progress, endsAt: Int64(size))
            trial.expect(progress.counts.count >= 2, "all is counted at once, at the end")
        },
        Self("progress.write-unknown", "a stream of unknown length ends at what has come", needs: .streaming) { trial in
            let progress = RecordingProgress.make()
            try await trial.streams.writeStream(
                path: trial["a.bin"],
                contents: ScriptedChunks(Trial.bytes(size), chunkSize: 10_000),
                length: nil,
                options: WriteOptions(),
                reporting: progress
            )
            trial.expect(progress, endsAt: Int64(size))
        },
        Self("progress.list", "listing counts the items", needs: []) { trial in
            try await trial.plantMany(12)
            let progress = RecordingProgress.make()
            let items = try await trial.provider.contentsOfDirectory(path: trial.root, reporting: progress)
            trial.expectEqual(progress.completedUnitCount, Int64(items.count), "the count")
            trial.expect(!progress.wentBackwards, "it went backwards: \(progress.counts)")
        },
        Self("progress.search", "searching counts the found items", needs: []) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b", "folder/c": "c"])
            let progress = RecordingProgress.make()
            let found = try await trial.provider.searchFiles(
                path: trial.root,
                recursive: true,
                query: try FileQuery(format: "name ENDSWITH '.txt'"),
                reporting: progress,
                foundItemHandler: nil
            )
            trial.expectEqual(found.count, 2, "found items")
            trial.expectEqual(progress.completedUnitCount, 2, "the count")
            trial.expect(!progress.wentBackwards, "it went backwards: \(progress.counts)")
        },
        Self("progress.copy", "a copy ends at its total", needs: .writing) { trial in
            try await trial.plant("from/a.bin", Trial.bytes(size))
            try await trial.plant(["from/b.txt": "b", "from/inner/c.txt": "c"])
            let progress = RecordingProgress.make()
            try await trial.files.copyItem(path: trial["from"], to: trial["to"], overwrite: false, reporting: progress)
            trial.expect(progress, endsAt: nil)
        },
        Self("progress.move", "a move ends at its total", needs: .writing) { trial in
            try await trial.plant(["from/b.txt": "b", "from/inner/c.txt": "c"])
            let progress = RecordingProgress.make()
            try await trial.files.moveItem(path: trial["from"], to: trial["to"], overwrite: false, reporting: progress)
            trial.expect(progress, endsAt: nil)
        },
        Self("progress.remove", "a removal ends at its total", needs: .writing) { trial in
            try await trial.plant(["from/b.txt": "b", "from/inner/c.txt": "c"])
            let progress = RecordingProgress.make()
            try await trial.files.removeItem(path: trial["from"], reporting: progress)
            trial.expect(progress, endsAt: nil)
        },
        Self("progress.upload", "an upload counts the bytes up to the size", needs: .writing) { trial in
            let progress = RecordingProgress.make()
            try await withLocalFolder { folder in
                let url = try folder.write("up", Trial.bytes(size))
                try await trial.files.copyItem(
                    localFile: url,
                    to: trial["a.bin"],
                    overwrite: false,
                    reporting: progress
                )
            }
            trial.expect(progress, endsAt: Int64(size))
        },
        Self("progress.download", "a download counts the bytes up to the size", needs: [.operations]) { trial in
            let path = try await trial.plant("a.bin", Trial.bytes(size))
            let progress = RecordingProgress.make()
            try await withLocalFolder { folder in
                try await trial.operations.copyItem(
                    path: path,
                    toLocalURL: folder["down"],
                    overwrite: false,
                    reporting: progress
                )
            }
            trial.expect(progress, endsAt: Int64(size))
        },
        Self("progress.failure", "what fails does not end at its total", needs: .streaming) { trial in
            let progress = RecordingProgress.make()
            _ = try? await trial.streams.writeStream(
                path: trial["a.bin"],
                contents: ScriptedChunks(Trial.bytes(size), chunkSize: 10_000) { index in
                    if index == 5 { throw SourceBroke() }
                },
                length: Int64(size),
                options: WriteOptions(),
                reporting: progress
            )
            trial.expect(!progress.isFinished, "a write that failed is shown as finished")
            let again = RecordingProgress.make()
            try await trial.streams.writeStream(
                path: trial["a.bin"],
                contents: ScriptedChunks(Trial.bytes(size), chunkSize: 10_000),
                length: Int64(size),
                options: WriteOptions(),
                reporting: again
            )
            trial.expect(again, endsAt: Int64(size))
        },
    ]
}

extension Trial {
    /// Notes a failure unless a progress went up to its total, which is also what there was.
    fileprivate func expect(
        _ progress: RecordingProgress,
        endsAt total: Int64?,
        filePath: String = #filePath,
        line: Int = #line
    ) {
        let counts = progress.counts
        expect(
            !progress.wentBackwards,
            "it went backwards: \(counts)",
            filePath: filePath,
            line: line
        )
        expect(
            progress.totalUnitCount > 0 && progress.completedUnitCount == progress.totalUnitCount,
            "it ended at \(progress.completedUnitCount) of \(progress.totalUnitCount)",
            filePath: filePath,
            line: line
        )
        if let total {
            expectEqual(progress.totalUnitCount, total, "the total", filePath: filePath, line: line)
        }
    }
}
