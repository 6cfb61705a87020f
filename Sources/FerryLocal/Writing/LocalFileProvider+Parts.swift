public import FerryCore
import Foundation
public import NIOCore

extension LocalFileProvider: FileProviderPartialWriting {
    /// Parts of any length, several at a time.
    ///
    /// - Parameter length: Bytes of the whole file.
    /// - Returns: How parts must be.
    /// - Throws: Nothing.
    public func partialWriteLimits(length: Int64) async throws -> PartialWriteLimits? { PartialFile.limits }

    /// Makes a hidden file beside the one that it will be.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - length: Bytes in all.
    ///   - options: The conditions for replacing a file.
    ///   - note: Called with the record that will lead back to it, before there is a file.
    /// - Returns: The record that leads back to it, until the machine starts anew: what a loss of power leaves is not
    ///   relied on.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``.
    public func beginPartialWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite {
        let write = PartialFile.record(path, length: length)
        try await note(write)
        try await run(writing: [path]) { [base] in try PartialFile(write, in: base).begin(options) }
        return write
    }

    /// Writes a part into the hidden file.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - offset: Where the part begins.
    ///   - contents: The bytes, iterated once, from the calling task.
    ///   - length: Bytes of the part.
    ///   - wrote: Called with the number of bytes written since the last call.
    /// - Throws: `PartialWriteLostError`; `CocoaError.fileWriteOutOfSpace`; `URLError.wrongLength(expected:received:)`;
    ///   what `contents` throws.
    public func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        guard offset >= 0, length >= 0, length <= write.length - offset else {
            throw URLError.wrongLength(expected: write.length, received: offset + length)
        }
        let part = try await pool.run { [base, turns] in try PartialFile(write, in: base).part(at: offset, turns) }
        let received = try await copyChunks(
            of: contents,
            length: length,
            reporting: nil,
            keepsPart: true,
            turn: part.turn
        ) {
            try part.append($0)
        } wrote: { bytes in
            wrote(bytes)
        }
        guard received == length else { throw URLError.wrongLength(expected: length, received: received) }
        try await pool.run { [synchronizes] in try part.finish(synchronizing: synchronizes) }
    }

    /// Up to the last byte of the hidden file.
    ///
    /// - Parameter write: The write that was begun.
    /// - Returns: One range, or none.
    /// - Throws: `PartialWriteLostError` when the file is gone, or the machine has started anew.
    public func writtenRanges(of write: PartialWrite) async throws -> [Range<Int64>] {
        let size = try await pool.run { [base] in try PartialFile(write, in: base).size() }
        return size > 0 ? [0..<min(size, write.length)] : []
    }

    /// Reads what is in the hidden file.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - range: Some of the bytes.
    /// - Returns: The `PartChecksum` of those that are there.
    /// - Throws: `PartialWriteLostError`; why it can't be read.
    public func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String? {
        try await pool.run { [base] in try PartialFile(write, in: base).checksum(in: range) }
    }

    /// Gives the hidden file its name.
    ///
    /// - Parameters:
    ///   - write: The write that was begun; all of its bytes were written.
    ///   - options: The conditions for replacing a file, and the date to set.
    /// - Returns: The file as it is now.
    /// - Throws: `PartialWriteLostError`; as ``writeStream(path:contents:length:options:reporting:)``.
    @discardableResult
    public func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        var options = options
        options.synchronizes = options.synchronizes || synchronizes
        return try await run(writing: [write.path]) { [base, options] in
            try PartialFile(write, in: base).finish(options)
        }
    }

    /// Removes the hidden file, or a folder that was to be copied as a whole.
    ///
    /// - Parameter write: The write that was begun.
    /// - Throws: The error that keeps it from being removed.
    public func discardPartialWrite(_ write: PartialWrite) async throws {
        try await pool.run { [base] in
            // Also one of before the machine started: it is there, only nobody relies on what is in it.
            var write = write
            write.values["boot"] = MachineStart.current
            do {
                if write.isFolder { return try PartialFolder(write).discard(write.path, in: base) }
                try PartialFile(write, in: base).discard()
            } catch is PartialWriteLostError {
                return
            }
        }
    }
}
