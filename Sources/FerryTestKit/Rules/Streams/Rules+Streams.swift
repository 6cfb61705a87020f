import FerryCore
import Foundation
import NIOCore

extension ConformanceCheck {
    /// Contents that come and go in chunks.
    static let streams: [ConformanceCheck] =
        readingStreams + conditionalStreams + writingStreams + breakingStreams

    // MARK: Reading

    private static let readingStreams: [ConformanceCheck] = [
        Self("streams.chunks", "chunks are never empty, and 256 KiB at most", needs: [.streams]) { trial in
            let data = Trial.bytes(3 * DataChunks.chunkSize + 17)
            let path = try await trial.plant("a.bin", data)
            var met = 0
            for try await chunk in try await trial.streams.contentStream(path: path) {
                let length = chunk.readableBytes
                trial.expect(length > 0 && length <= DataChunks.chunkSize, "a chunk has \(length) bytes")
                met += length
            }
            trial.expectEqual(met, data.count, "bytes")
        },
        Self("streams.facts", "the facts of a stream agree with the file and the range", needs: [.streams]) { trial in
            let path = try await trial.plant("a.bin", Trial.bytes(1_000))
            let item = try await trial.provider.attributesOfItem(path: path)
            let facts = try await trial.streams.contentStream(path: path, range: .bytes(100..<300)).facts
            if let size = facts.size { trial.expectEqual(size, 1_000, "the size") }
            if let range = facts.range { trial.expectEqual(range, 100..<300, "the range") }
            if let eTag = facts.eTag, let told = item.eTag { trial.expectEqual(eTag, told, "the eTag") }
            if let date = facts.modifiedDate, let told = item.modifiedDate {
                // A listing may leave out minutes.
                let precision = (trial.provider.capabilities.datePrecision ?? .zero) / .seconds(1)
                let isLike = -1.001..<max(1.001, precision) ~= date.timeIntervalSince(told)
                trial.expect(isLike, "the date is \(date), and should be \(told)")
            }
        },
        Self("streams.once", "a stream is read once: a second loop ends at once", needs: [.streams]) { trial in
            let path = try await trial.plant("a.txt", Data(file: "text"))
            let stream = try await trial.streams.contentStream(path: path)
            trial.expectEqual(try await stream.collect(), Data(file: "text"), "the contents")
            trial.expectEqual(try await stream.collect(), Data(), "the contents the second time")
        },
        Self("streams.leaving-early", "a stream that is left early lets go of the file", needs: .streaming) { trial in
            let path = try await trial.plant("a.bin", Trial.bytes(4 * DataChunks.chunkSize))
            for try await _ in try await trial.streams.contentStream(path: path) { break }
            try await trial.files.writeContents(path: path, contents: Data(file: "new"), overwrite: true)
            try await trial.expectContents(of: path, "new")
            try await trial.files.removeItem(path: path)
            try await trial.expectTree([:])
        },
        Self("streams.never-read", "a stream that nobody reads does no harm", needs: .streaming) { trial in
            let path = try await trial.plant("a.bin", Trial.bytes(DataChunks.chunkSize + 1))
            for _ in 0..<50 { _ = try await trial.streams.contentStream(path: path) }
            try await trial.files.removeItem(path: path)
            try await trial.expectTree([:])
        },
        Self(
            "streams.overwritten-while-read",
            "a file that is replaced while it is read comes as it was, or not at all",
            needs: .streaming + [.can(\.writesAtomically, "atomic writes")]
        ) { trial in
            let old = Trial.bytes(6 * DataChunks.chunkSize, seed: 1)
            let new = Trial.bytes(6 * DataChunks.chunkSize, seed: 2)
            let path = try await trial.plant("a.bin", old)
            let stream = try await trial.streams.contentStream(path: path)
            var met = Data()
            do {
                for try await chunk in stream {
                    if met.isEmpty {
                        try await trial.files.writeContents(path: path, contents: new, overwrite: true)
                    }
                    met.append(contentsOf: chunk.readableBytesView)
                }
                trial.expect(met == old || met == new, "a mixture of old and new was read")
            } catch is URLError {
                // Not at all is as good.
            } catch is PreconditionFailedError {
                // Not at all is as good.
            }
            try await trial.expectContents(of: path, new)
        },
        Self("streams.side-by-side", "several streams of one file don't disturb each other", needs: [.streams]) {
            trial in
            let data = Trial.bytes(2 * DataChunks.chunkSize + 5)
            let path = try await trial.plant("a.bin", data)
            let first = try await trial.streams.contentStream(path: path)
            let second = try await trial.streams.contentStream(path: path, range: .last(10))
            trial.expectEqual(try await second.collect(), Data(data.suffix(10)), "the second stream")
            trial.expectEqual(try await first.collect(), data, "the first stream")
        },
    ]

    // MARK: Writing

    private static let writingStreams: [ConformanceCheck] = [
        Self("streams.odd-chunks", "chunks of any size, and empty ones, make one content", needs: .streaming) { trial in
            let parts = [0, 1, 0, 7, 100_000, 0, 1_000_003, 1, 0].enumerated().map {
                Trial.bytes($0.element, seed: UInt64($0.offset + 1))
            }
            let whole = parts.reduce(Data(), +)
            let chunks = ScriptedChunks(parts)
            try await trial.streams.writeStream(path: trial["a"], contents: chunks, length: Int64(whole.count))
            try await trial.expectContents(of: trial["a"], whole)
        },
        Self("streams.single-bytes", "a thousand chunks of one byte make one content", needs: .streaming) { trial in
            let data = Trial.bytes(1_000)
            try await trial.streams.writeStream(path: trial["a"], contents: ScriptedChunks(data, chunkSize: 1))
            try await trial.expectContents(of: trial["a"], data)
        },
        Self("streams.source-once", "the source of a write is begun once, and read to its end", needs: .streaming) {
            trial in
            let chunks = ScriptedChunks(Trial.bytes(5_000), chunkSize: 1_000)
            try await trial.streams.writeStream(path: trial["a"], contents: chunks, length: 5_000)
            trial.expectEqual(chunks.iterations, 1, "how often the source was begun")
            trial.expectEqual(chunks.handedOut, 5, "chunks that were taken")
        },
        Self("streams.nothing", "a source without chunks makes an empty file", needs: .streaming) { trial in
            let known = ScriptedChunks([])
            try await trial.streams.writeStream(path: trial["known"], contents: known, length: 0)
            let unknown = ScriptedChunks([])
            try await trial.streams.writeStream(path: trial["unknown"], contents: unknown)
            try await trial.expectTree(["known": "", "unknown": ""])
        },
        Self("streams.result", "what a write returns is the file as it is now", needs: .streaming) { trial in
            let chunks = DataChunks(Data(file: "text"))
            guard let told = try await trial.streams.writeStream(path: trial["a.txt"], contents: chunks) else {
                throw NotApplicable("a storage that describes what was written")
            }
            let item = try await trial.provider.attributesOfItem(path: trial["a.txt"])
            trial.expectEqual(told.path, item.path, "the path")
            trial.expectEqual(told.type, item.type, "the kind")
            trial.expectEqual(told.size ?? 4, 4, "the size")
            trial.expectEqual(told.eTag ?? item.eTag, item.eTag, "the eTag")
            trial.expectEqual(told.id ?? item.id, item.id, "the identifier")
        },
        Self("streams.from-stream", "a stream of one file can be written to another", needs: .streaming) { trial in
            let data = Trial.bytes(2 * DataChunks.chunkSize + 3)
            let path = try await trial.plant("a.bin", data)
            let stream = try await trial.streams.contentStream(path: path)
            try await trial.streams.writeStream(
                path: trial["b.bin"],
                contents: stream,
                length: stream.facts.size
            )
            try await trial.expectContents(of: trial["b.bin"], data)
        },
        Self(
            "streams.content-type",
            "a media type that was given is kept, where the storage tells media types",
            needs: .streaming
        ) { trial in
            try await trial.streams.writeStream(
                path: trial["a.unknown-kind"],
                contents: DataChunks(Data(file: "x")),
                options: WriteOptions(contentType: "application/x-ferry")
            )
            let told = try await trial.provider.attributesOfItem(path: trial["a.unknown-kind"]).contentType
            guard let told, told != "application/octet-stream" else { throw NotApplicable("kept media types") }
            trial.expectEqual(told, "application/x-ferry", "the media type")
        },
    ]

    // MARK: Streams that break on their way

    private static let breakingStreams: [ConformanceCheck] = [
        Self(
            "streams.source-fails",
            "a source that fails midway passes its error on, and leaves nothing",
            needs: .streaming
        ) { trial in
            for length: Int64? in [5_000, nil] {
                try await trial.expectNothingLeft { streams, path in
                    let chunks = ScriptedChunks(Trial.bytes(5_000), chunkSize: 1_000) { index in
                        if index == 3 { throw SourceBroke() }
                    }
                    await trial.expectError("the source's error", of: "writing", where: { $0 is SourceBroke }) {
                        try await streams.writeStream(path: path, contents: chunks, length: length)
                    }
                }
            }
        },
        Self("streams.source-fails-at-once", "a source that fails at once leaves nothing", needs: .streaming) { trial in
            try await trial.expectNothingLeft { streams, path in
                let chunks = ScriptedChunks(Data(file: "x"), chunkSize: 1) { _ in throw SourceBroke() }
                await trial.expectError("the source's error", of: "writing", where: { $0 is SourceBroke }) {
                    try await streams.writeStream(path: path, contents: chunks)
                }
            }
        },
        Self(
            "streams.source-fails-at-end",
            "a source that fails after its last chunk leaves nothing",
            needs: .streaming
        ) {
            trial in
            try await trial.expectNothingLeft { streams, path in
                let chunks = ScriptedChunks(Data(file: "xyz"), chunkSize: 1) { index in
                    if index == 3 { throw SourceBroke() }
                }
                await trial.expectError("the source's error", of: "writing", where: { $0 is SourceBroke }) {
                    try await streams.writeStream(path: path, contents: chunks)
                }
            }
        },
        Self("streams.source-fails-on-old", "a source that fails leaves the old content", needs: .streaming) { trial in
            try await trial.expectOldContent { streams, path, options in
                let chunks = ScriptedChunks(Trial.bytes(5_000), chunkSize: 1_000) { index in
                    if index == 3 { throw SourceBroke() }
                }
                await trial.expectError("the source's error", of: "writing", where: { $0 is SourceBroke }) {
                    try await streams.writeStream(path: path, contents: chunks, length: 5_000, options: options)
                }
            }
        },
        Self(
            "streams.source-too-short",
            "a source that ends before its announced length throws networkConnectionLost, and leaves nothing",
            needs: .streaming
        ) { trial in
            try await trial.expectNothingLeft { streams, path in
                await trial.expectURLError(.networkConnectionLost, of: "writing") {
                    let chunks = ScriptedChunks(Trial.bytes(999), chunkSize: 100)
                    return try await streams.writeStream(path: path, contents: chunks, length: 1_000)
                }
                await trial.expectURLError(.networkConnectionLost, of: "writing nothing") {
                    try await streams.writeStream(path: path, contents: ScriptedChunks([]), length: 1)
                }
            }
        },
        Self(
            "streams.source-too-long",
            "a source that goes on past its announced length throws cannotParseResponse, and leaves nothing",
            needs: .streaming
        ) { trial in
            try await trial.expectNothingLeft { streams, path in
                await trial.expectURLError(.cannotParseResponse, of: "writing") {
                    let chunks = ScriptedChunks(Trial.bytes(1_001), chunkSize: 100)
                    return try await streams.writeStream(path: path, contents: chunks, length: 1_000)
                }
                await trial.expectURLError(.cannotParseResponse, of: "writing something for nothing") {
                    try await streams.writeStream(
                        path: path,
                        contents: ScriptedChunks(Data(file: "x"), chunkSize: 1),
                        length: 0
                    )
                }
            }
        },
        Self(
            "streams.wrong-length-on-old",
            "a source of another length than announced leaves the old content",
            needs: .streaming
        ) { trial in
            for length: Int64 in [999, 1_001] {
                try await trial.expectOldContent { streams, path, options in
                    await trial.expectError("URLError", of: "writing", where: { $0 is URLError }) {
                        let chunks = ScriptedChunks(Trial.bytes(1_000), chunkSize: 100)
                        return try await streams.writeStream(
                            path: path,
                            contents: chunks,
                            length: length,
                            options: options
                        )
                    }
                }
            }
        },
        Self(
            "streams.body-too-short",
            "a body that ends early throws networkConnectionLost, and is never taken for all",
            needs: [.streams]
        ) { trial in
            let path = try await trial.plant("a.bin", Trial.bytes(1_000))
            let faulty = trial.provider.withFaults(.init(.contentStream, fault: .cut(afterBytes: 600, nil)))
            let streams = try trial.require(
                faulty as? any FileProviderReadWriteProgressive,
                "the wrapper hides streams"
            )
            let whole = try await streams.contentStream(path: path)
            guard whole.facts.range != nil else { throw NotApplicable("a length that is told beforehand") }
            await trial.expectURLError(.networkConnectionLost, of: "reading") { try await whole.collect() }
            let part = try await streams.contentStream(path: path, range: .bytes(100..<900))
            await trial.expectURLError(.networkConnectionLost, of: "reading a part") { try await part.collect() }
        },
        Self(
            "streams.body-breaks",
            "a body that breaks off throws its error after the bytes that came",
            needs: [.streams]
        ) { trial in
            let data = Trial.bytes(1_000)
            let path = try await trial.plant("a.bin", data)
            let faulty = trial.provider.withFaults(
                .init(.contentStream, fault: .cut(afterBytes: 600, URLError(.networkConnectionLost)))
            )
            let streams = try trial.require(
                faulty as? any FileProviderReadWriteProgressive,
                "the wrapper hides streams"
            )
            var met = Data()
            await trial.expectURLError(.networkConnectionLost, of: "reading") {
                for try await chunk in try await streams.contentStream(path: path) {
                    met.append(contentsOf: chunk.readableBytesView)
                }
            }
            trial.expectEqual(met, Data(data.prefix(600)), "the bytes that came")
        },
    ]
}

extension Trial {
    typealias Streams = any FileProviderReadWriteProgressive

    /// Notes a failure if a write that fails leaves anything, under its name or another.
    fileprivate func expectNothingLeft(
        filePath: String = #filePath,
        line: Int = #line,
        _ body: (Streams, ItemPath) async throws -> Void
    ) async throws {
        try await body(streams, self["new"])
        try await expectTree([:], filePath: filePath, line: line)
        await expectNothing(at: self["new"], filePath: filePath, line: line)
    }

    /// Notes a failure unless a write that fails leaves the old content, and nothing else.
    fileprivate func expectOldContent(
        filePath: String = #filePath,
        line: Int = #line,
        _ body: (Streams, ItemPath, WriteOptions) async throws -> Void
    ) async throws {
        try await fixtures.writeContents(path: self["a.txt"], contents: Data(file: "old"), overwrite: true)
        try await body(streams, self["a.txt"], WriteOptions(overwrite: true))
        try await expectTree(["a.txt": "old"], filePath: filePath, line: line)
        try await expectContents(of: self["a.txt"], "old", filePath: filePath, line: line)
    }
}
