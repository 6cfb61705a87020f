import FerryCore
import Foundation

extension ConformanceCheck {
    /// Cancelled work ends promptly, and leaves nothing half done.
    static let cancelling: [ConformanceCheck] =
        Question.all.map(questionCancelled) + changesCancelled + midwayCancelled

    // MARK: Before the start

    private static func questionCancelled(_ question: Question) -> ConformanceCheck {
        Self(
            ID(rawValue: "cancelling.\(question.slug)"),
            "\(question.words) throws CancellationError when the task or the progress is cancelled already",
            needs: question.needs
        ) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            await trial.expectCancellation(of: "\(question.words) in a cancelled task") {
                try await inCancelledTask { try await question.ask(trial, nil) }
            }
            let progress = Progress(totalUnitCount: -1)
            progress.cancel()
            await trial.expectCancellation(of: "\(question.words) with a cancelled progress") {
                try await question.ask(trial, progress)
            }
        }
    }

    private static let changesCancelled: [ConformanceCheck] = [
        Self(
            "cancelling.changes",
            "a change in a cancelled task throws CancellationError and changes nothing",
            needs: .writing
        ) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            for (name, change) in Change.all(of: try trial.files, in: trial) {
                await trial.expectCancellation(of: name) { try await inCancelledTask(change) }
                try await trial.expectTree(["a.txt": "a", "folder/b.txt": "b"])
            }
        },
        Self(
            "cancelling.changes-by-progress",
            "a change with a cancelled progress throws CancellationError and changes nothing",
            needs: .writing
        ) { trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            let progress = Progress(totalUnitCount: -1)
            progress.cancel()
            await trial.expectCancellation(of: "copyItem") {
                try await files.copyItem(
                    path: trial["folder"],
                    to: trial["new"],
                    overwrite: false,
                    reporting: progress
                )
            }
            await trial.expectCancellation(of: "moveItem") {
                try await files.moveItem(
                    path: trial["folder"],
                    to: trial["new"],
                    overwrite: false,
                    reporting: progress
                )
            }
            await trial.expectCancellation(of: "removeItem") {
                try await files.removeItem(path: trial["folder"], reporting: progress)
            }
            await trial.expectCancellation(of: "writeContents") {
                try await files.writeContents(
                    path: trial["a.txt"],
                    contents: Data(file: "new"),
                    atomically: true,
                    overwrite: true,
                    reporting: progress
                )
            }
            try await withLocalFolder { folder in
                let url = try folder.write("up", Data(file: "x"))
                await trial.expectCancellation(of: "uploading") {
                    try await files.copyItem(localFile: url, to: trial["new"], overwrite: false, reporting: progress)
                }
            }
            try await trial.expectTree(["a.txt": "a", "folder/b.txt": "b"])
        },
        Self("cancelling.download", "a cancelled download leaves no local file", needs: [.operations]) { trial in
            try await trial.plant("a.bin", Trial.bytes(1 << 20))
            let operations = try trial.operations
            try await withLocalFolder { folder in
                await trial.expectCancellation(of: "downloading in a cancelled task") {
                    try await inCancelledTask {
                        try await operations.copyItem(path: trial["a.bin"], toLocalURL: folder["down"])
                    }
                }
                let progress = Progress(totalUnitCount: -1)
                progress.cancel()
                await trial.expectCancellation(of: "downloading with a cancelled progress") {
                    try await operations.copyItem(
                        path: trial["a.bin"],
                        toLocalURL: folder["down"],
                        overwrite: false,
                        reporting: progress
                    )
                }
                trial.expectEqual(try folder.names, [], "names in the local folder")
            }
        },
    ]

    // MARK: Midway

    /// Long enough that nobody takes all of it in before looking up.
    private static let endless = Trial.bytes(4 << 20)
    private static let chunkSize = 4_096

    private static let midwayCancelled: [ConformanceCheck] = [
        Self("cancelling.write-midway", "a write whose task is cancelled midway leaves nothing", needs: .streaming) {
            trial in
            let streams = try trial.streams
            await trial.expectCancellation(of: "writing") {
                try await inCancellableTask { canceller in
                    let chunks = ScriptedChunks(endless, chunkSize: chunkSize) { index in
                        if index == 3 { canceller.cancel() }
                    }
                    defer { trial.expectStopped(chunks, of: endless.count / chunkSize) }
                    try await streams.writeStream(path: trial["new"], contents: chunks)
                }
            }
            try await trial.expectTree([:], afterBreak: true)
        },
        Self(
            "cancelling.write-by-progress",
            "a write whose progress is cancelled midway leaves nothing",
            needs: .streaming
        ) { trial in
            let streams = try trial.streams
            let progress = Progress(totalUnitCount: -1)
            let chunks = ScriptedChunks(endless, chunkSize: chunkSize) { index in
                if index == 3 { progress.cancel() }
            }
            await trial.expectCancellation(of: "writing") {
                try await streams.writeStream(
                    path: trial["new"],
                    contents: chunks,
                    length: Int64(endless.count),
                    options: WriteOptions(),
                    reporting: progress
                )
            }
            trial.expectStopped(chunks, of: endless.count / chunkSize)
            try await trial.expectTree([:], afterBreak: true)
        },
        Self(
            "cancelling.overwrite-midway",
            "a write that is cancelled midway leaves the old content",
            needs: .streaming
        ) {
            trial in
            let streams = try trial.streams
            try await trial.plant(["a.txt": "old"])
            for length: Int64? in [Int64(endless.count), nil] {
                await trial.expectCancellation(of: "writing") {
                    try await inCancellableTask { canceller in
                        let chunks = ScriptedChunks(endless, chunkSize: chunkSize) { index in
                            if index == 3 { canceller.cancel() }
                        }
                        let options = WriteOptions(overwrite: true)
                        try await streams.writeStream(
                            path: trial["a.txt"],
                            contents: chunks,
                            length: length,
                            options: options
                        )
                    }
                }
            }
            try await trial.expectTree(["a.txt": "old"], afterBreak: true)
        },
        Self(
            "cancelling.write-at-the-end",
            "a write that is cancelled with its last chunk leaves all or nothing",
            needs: .streaming
        ) { trial in
            let streams = try trial.streams
            let data = Trial.bytes(10_000)
            do {
                try await inCancellableTask { canceller in
                    let chunks = ScriptedChunks(data, chunkSize: 1_000) { index in
                        if index == 10 { canceller.cancel() }
                    }
                    try await streams.writeStream(path: trial["new"], contents: chunks, length: 10_000)
                }
                try await trial.expectContents(of: trial["new"], data)
            } catch is CancellationError {
                try await trial.expectTree([:], afterBreak: true)
            }
        },
        Self(
            "cancelling.read-midway",
            "a read whose task is cancelled midway throws CancellationError",
            needs: [.streams]
        ) {
            trial in
            let path = try await trial.plant("a.bin", Trial.bytes(4 * DataChunks.chunkSize))
            let streams = try trial.streams
            await trial.expectCancellation(of: "reading") {
                try await inCancellableTask { canceller in
                    for try await _ in try await streams.contentStream(path: path) { canceller.cancel() }
                }
            }
        },
        Self(
            "cancelling.read-by-progress",
            "a read whose progress is cancelled midway throws CancellationError",
            needs: [.streams]
        ) { trial in
            let path = try await trial.plant("a.bin", Trial.bytes(4 * DataChunks.chunkSize))
            let streams = try trial.streams
            let progress = Progress(totalUnitCount: -1)
            await trial.expectCancellation(of: "reading") {
                for try await _ in try await streams.contentStream(path: path, range: .all, reporting: progress) {
                    progress.cancel()
                }
            }
        },
        Self("cancelling.list-midway", "a listing whose task is cancelled between pages throws CancellationError") {
            trial in
            try await trial.plantMany(20)
            let provider = trial.provider
            await trial.expectCancellation(of: "the listing") {
                try await inCancellableTask { canceller in
                    for try await _ in provider.directoryListing(path: trial.root) { canceller.cancel() }
                }
            }
        },
        Self("cancelling.search-midway", "a search whose task is cancelled midway throws CancellationError") { trial in
            try await trial.plant(["a/a.txt": "a", "b/b.txt": "b", "c/c.txt": "c"])
            let provider = trial.provider
            await trial.expectCancellation(of: "the search") {
                try await inCancellableTask { canceller in
                    for try await page in provider.searchFiles(path: trial.root, recursive: true, query: .all).pages
                    where !page.isEmpty {
                        canceller.cancel()
                    }
                }
            }
        },
        Self(
            "cancelling.copy-somewhere",
            "a copy of a folder that is cancelled at some moment has only whole files",
            needs: .writing
        ) { trial in
            let files = try trial.files
            for number in 0..<10 { try await trial.plant("from/\(number)", Trial.bytes(10_000, seed: UInt64(number))) }
            for pauses in [0, 1, 3, 10, 30] {
                let task = Task {
                    try await files.copyItem(path: trial["from"], to: trial.root.appending("to \(pauses)"))
                }
                for _ in 0..<pauses { await Task.yield() }
                task.cancel()
                do { try await task.value } catch is CancellationError {}
            }
            try await files.copyItem(path: trial["from"], to: trial["to the end"])
            trial.expectEqual(try await trial.search("to the end", recursive: false, .all).count, 10, "copied files")
            for (path, entry) in try await trial.snapshot().entries {
                guard let number = UInt64(path.lastName) else { continue }
                trial.expectEqual(entry, .file(Trial.bytes(10_000, seed: number)), "\(path)")
            }
        },
        Self("cancelling.then-again", "what was cancelled can be done again at once", needs: .streaming) { trial in
            let streams = try trial.streams
            _ = try? await inCancelledTask {
                try await streams.writeStream(path: trial["a"], contents: DataChunks(Data(file: "a")))
            }
            try await streams.writeStream(path: trial["a"], contents: DataChunks(Data(file: "a")))
            try await trial.expectTree(["a": "a"])
        },
    ]
}

/// A way to look at a storage that takes long enough to be cancelled.
private struct Question: Sendable {
    let slug: String
    let words: String
    let needs: [ConformanceNeed]
    let ask: @Sendable (Trial, Progress?) async throws -> Void

    static let all = [
        Question(slug: "list", words: "listing", needs: []) { trial, progress in
            _ = try await trial.provider.contentsOfDirectory(path: trial.root, reporting: progress)
        },
        Question(slug: "search", words: "searching", needs: []) { trial, progress in
            _ = try await trial.provider.searchFiles(
                path: trial.root,
                recursive: true,
                query: .all,
                reporting: progress,
                foundItemHandler: nil
            )
        },
        Question(slug: "read", words: "reading a file", needs: [.reading]) { trial, progress in
            _ = try await trial.reading.contents(path: trial["a.txt"], reporting: progress)
        },
        Question(slug: "read-part", words: "reading a part", needs: [.reading]) { trial, progress in
            _ = try await trial.reading.contents(path: trial["a.txt"], offset: 0, length: 1, reporting: progress)
        },
        Question(slug: "stream", words: "streaming a file", needs: [.streams]) { trial, progress in
            let stream = try await trial.streams.contentStream(path: trial["a.txt"], range: .all, reporting: progress)
            for try await _ in stream {}
        },
    ]
}

extension Trial {
    /// Notes a failure if a source was read to its end, though nobody wanted the rest.
    fileprivate func expectStopped(
        _ chunks: ScriptedChunks,
        of all: Int,
        filePath: String = #filePath,
        line: Int = #line
    ) {
        expect(
            chunks.handedOut < all / 2,
            "\(chunks.handedOut) of \(all) chunks were taken after the work was cancelled",
            filePath: filePath,
            line: line
        )
    }
}
