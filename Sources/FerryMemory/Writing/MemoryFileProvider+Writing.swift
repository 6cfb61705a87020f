public import FerryCore
public import Foundation
public import NIOCore

extension MemoryFileProvider {
    /// Collects the chunks, and then writes them as one.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try read { tree in
            let existing = try tree.checkWrite(path, options: options).existing
            let old = try existing.map { try tree.node($0).content.count } ?? 0
            if let length { try tree.requireRoom(for: length - Int64(old), path: path) }
        }
        progress?.announceTransfer(of: length)
        var content = Data()
        for try await chunk in contents {
            try progress.checkCancellation()
            content.append(contentsOf: chunk.readableBytesView)
            progress?.completedUnitCount += Int64(chunk.readableBytes)
        }
        try progress.checkCancellation()
        if let length, length != content.count {
            throw URLError.wrongLength(expected: length, received: Int64(content.count))
        }
        let file = try change { [content] tree, now in
            try tree.write(content, to: path, options: options, now: now)
        }
        progress?.finish()
        return file
    }
}

extension MemoryFileProvider: FileProviderPartialWriting {
    /// Parts of any length, several at a time; a file is in one piece, so it has no more than an `Int` counts.
    public func partialWriteLimits(length: Int64) async throws -> PartialWriteLimits? {
        PartialWriteLimits(parallelism: 4)
    }

    /// Makes room for a file that gets its name when it is finished.
    public func beginPartialWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite {
        let write = PartialWrite(
            path: path,
            length: length,
            limits: PartialWriteLimits(parallelism: 4),
            values: ["id": try change { tree, _ in tree.newPartialWriteID() }]
        )
        try await note(write)
        try change { tree, _ in try tree.begin(write, options: options) }
        return write
    }

    /// Takes chunk after chunk.
    public func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        var received: Int64 = 0
        for try await chunk in contents {
            let bytes = Data(chunk.readableBytesView)
            guard received + Int64(bytes.count) <= length else {
                throw URLError.wrongLength(expected: length, received: received + Int64(bytes.count))
            }
            try change { [received] tree, _ in try tree.writePart(bytes, at: offset + received, of: write) }
            received += Int64(bytes.count)
            wrote(Int64(bytes.count))
        }
        guard received == length else { throw URLError.wrongLength(expected: length, received: received) }
    }

    /// All that was written.
    public func writtenRanges(of write: PartialWrite) async throws -> [Range<Int64>] {
        try read { tree in Array(try tree.partialWrite(write).written.ranges) }
    }

    /// Nobody else can have changed it.
    public func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String? { nil }

    /// Gives the file its name.
    @discardableResult
    public func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        try change { tree, now in try tree.finish(write, options: options, now: now) }
    }

    /// Forgets what was written.
    public func discardPartialWrite(_ write: PartialWrite) async throws {
        try change { tree, _ in tree.discard(write) }
    }

    /// Files that were begun in parts, and neither finished nor discarded.
    public var unfinishedWrites: Int {
        get throws { try read { tree in tree.partialWrites.count } }
    }
}
