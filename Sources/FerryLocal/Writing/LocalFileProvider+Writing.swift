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
    ///   - options: Whether to replace, on which condition, with which date.
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
        let write = try await pool.run { [base, options] in try FileWrite(path, in: base, options: options) }
        do {
            if let length { progress?.announceTransfer(of: length) }
            let received = try await copyChunks(of: contents, to: write, length: length, reporting: progress)
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

    /// Writes in portions, so that many small chunks don't cost a change of threads each.
    private func copyChunks<Contents: AsyncSequence & Sendable>(
        of contents: Contents,
        to write: FileWrite,
        length: Int64?,
        reporting progress: Progress?
    ) async throws -> Int64 where Contents.Element == ByteBuffer {
        var received: Int64 = 0
        var waiting: [ByteBuffer] = []
        var waitingBytes = 0
        for try await chunk in contents {
            try progress.checkCancellation()
            received += Int64(chunk.readableBytes)
            if let length, received > length { throw URLError.wrongLength(expected: length, received: received) }
            waiting.append(chunk)
            waitingBytes += chunk.readableBytes
            if waitingBytes >= DataChunks.chunkSize || waiting.count >= 256 {
                try await pool.run { [waiting] in try write.append(waiting) }
                progress?.completedUnitCount += Int64(waitingBytes)
                waiting = []
                waitingBytes = 0
            }
        }
        try await pool.run { [waiting] in try write.append(waiting) }
        progress?.completedUnitCount += Int64(waitingBytes)
        return received
    }
}
