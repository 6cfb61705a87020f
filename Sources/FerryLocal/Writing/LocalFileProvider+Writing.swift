public import FerryCore
public import Foundation
public import NIOCore

extension LocalFileProvider: FileProviderReadWrite {
    /// Writes a file from chunks as they come.
    ///
    /// The new content is in a file without a name until all chunks have arrived; killed at any moment, the name shows
    /// the old content or the new. A replaced file's permissions, extended attributes and, where allowed, owner stay.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist. A link is followed, unless it leads out of the base folder.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The conditions for replacing a file, and the date to set.
    ///   - progress: Bytes.
    /// - Returns: The file as it is now.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile`, `.fileWriteOutOfSpace`,
    ///   `PreconditionFailedError`, `URLError.wrongLength(expected:received:)`; what `contents` throws.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try progress.checkCancellation()
        var options = options
        options.synchronizes = options.synchronizes || synchronizes
        if let length, length <= DataChunks.chunkSize {
            return try await writeAtOnce(path, contents, length: length, options: options, reporting: progress)
        }
        let write = try await pool.run { [base, options] in try FileWrite(path, in: base, options: options) }
        do {
            progress?.announceTransfer(of: length)
            let received = try await copyChunks(of: contents, length: length, reporting: progress) {
                try write.append($0)
            } wrote: { bytes in
                progress?.completedUnitCount += bytes
            }
            if let length, received != length { throw URLError.wrongLength(expected: length, received: received) }
            try progress.checkCancellation()
            let file = try await run(writing: [path]) { try write.finish() }
            progress?.finish()
            return file
        } catch {
            try await pool.runAlways { write.discard() }
            throw error
        }
    }

    /// Writes small content when all of it is there, so that a small file doesn't cost several changes of threads.
    private func writeAtOnce<Contents: AsyncSequence & Sendable>(
        _ path: ItemPath,
        _ contents: Contents,
        length: Int64,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        progress?.announceTransfer(of: length)
        var all = ByteBuffer()
        for try await chunk in contents {
            try progress.checkCancellation()
            if all.readableBytes == 0 { all = chunk } else { all.writeImmutableBuffer(chunk) }
            if all.readableBytes > length { break }
        }
        let received = Int64(all.readableBytes)
        guard received == length else { throw URLError.wrongLength(expected: length, received: received) }
        try progress.checkCancellation()
        let writeAll: @Sendable () throws -> FileObject = { [base, all] in
            try FileWrite.write([all], to: path, in: base, options)
        }
        // A disk that has to have it for sure takes its time.
        let file =
            options.synchronizes
            ? try await run(writing: [path], writeAll) : try await runBriefly(writing: [path], writeAll)
        progress?.completedUnitCount += length
        progress?.finish()
        return file
    }

    /// Writes in portions, so that many small chunks don't cost a change of threads each, while more chunks arrive.
    ///
    /// - Parameters:
    ///   - contents: The chunks.
    ///   - length: Bytes in all; more are an error.
    ///   - progress: Cancelling it ends the write.
    ///   - keepsPart: `true` if all that has come is written, also if the contents then break off.
    ///   - turn: Of those who write to the same file; `nil` where nobody else does.
    ///   - write: Writes a portion, on a thread of the pool.
    ///   - wrote: Called with the number of bytes written since the last call, also if the contents then break off.
    /// - Returns: Bytes in all.
    /// - Throws: Any error that `contents` and `write` throw; `URLError.wrongLength(expected:received:)` for too many
    ///   bytes.
    func copyChunks<Contents: AsyncSequence & Sendable>(
        of contents: Contents,
        length: Int64?,
        reporting progress: Progress?,
        keepsPart: Bool = false,
        turn: FileTurns.Turn? = nil,
        write: @escaping @Sendable ([ByteBuffer]) throws -> Void,
        wrote: (Int64) -> Void
    ) async throws -> Int64 where Contents.Element == ByteBuffer {
        var received: Int64 = 0
        var waiting: [ByteBuffer] = []
        var waitingBytes = 0
        let start = { @Sendable [pool] (step: @escaping @Sendable () -> Bool) in
            if let turn { turn.start(step) } else { pool.start { while step() {} } }
        }
        let queue = WriteQueue(start: start, write: write)
        var written: Int64 = 0
        func count(_ bytes: Int64) {
            written += bytes
            if bytes > 0 { wrote(bytes) }
        }
        do {
            for try await chunk in contents {
                try progress.checkCancellation()
                received += Int64(chunk.readableBytes)
                if let length, received > length { throw URLError.wrongLength(expected: length, received: received) }
                waiting.append(chunk)
                waitingBytes += chunk.readableBytes
                if waitingBytes >= DataChunks.chunkSize || waiting.count >= 256 {
                    count(try await queue.add(waiting))
                    waiting = []
                    waitingBytes = 0
                }
            }
            count(try await queue.add(waiting))
            count(try await queue.finish())
        } catch {
            // The error to tell is the first one.
            if keepsPart, let last = try? await queue.add(waiting) { count(last) }
            count(await queue.settle(dropping: !keepsPart))
            throw error
        }
        guard written == received else { throw URLError.wrongLength(expected: received, received: written) }
        return written
    }
}

extension LocalFileProvider: FileProviderBulkWriting {
    /// As many small files as take about a millisecond; none where each has to wait, for the disk or for its turn.
    public var bulkLimits: BulkLimits? {
        synchronizes || isCoordinating ? nil : BulkLimits(fileCount: 16, byteCount: 256 << 10)
    }

    /// Writes small files, one after the other, on one thread: that is woken once for all of them.
    ///
    /// Each is written as by itself: completely, or not at all.
    ///
    /// - Parameters:
    ///   - files: The files; their folders must exist.
    ///   - overwrite: `true` if existing files may be replaced.
    /// - Returns: For each the file as it is now, or why it could not be written.
    /// - Throws: `CancellationError`, and then nothing was written.
    public func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        let writeAll: @Sendable () -> [Result<FileObject?, any Error>] = { [base, synchronizes] in
            files.map { file in
                let options = WriteOptions(
                    overwrite: overwrite,
                    modifiedDate: file.modifiedDate,
                    synchronizes: synchronizes
                )
                return Result {
                    try FileWrite.write([ByteBuffer(bytes: file.contents)], to: file.path, in: base, options)
                }
            }
        }
        let paths = files.map(\.path)
        return bulkLimits == nil
            ? try await run(writing: paths, writeAll) : try await runBriefly(writing: paths, writeAll)
    }
}
