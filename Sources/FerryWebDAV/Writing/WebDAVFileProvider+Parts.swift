public import FerryCore
import Foundation
public import NIOCore

extension WebDAVFileProvider: FileProviderPartialWriting {
    /// Parts of any length, several at a time, at a server that puts them where they belong: Apache.
    ///
    /// - Parameter length: Bytes of the whole file.
    /// - Returns: How parts must be; `nil` at servers that are known to take none.
    /// - Throws: Errors of the connection.
    public func partialWriteLimits(length: Int64) async throws -> PartialWriteLimits? {
        try await rangedWriteLimits()
    }

    /// Makes a file under a temporary name, and tries out whether the server puts parts where they belong.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - length: Bytes in all.
    ///   - options: The conditions for replacing a file.
    ///   - note: Called with the record that will lead back to it, before there is a file.
    /// - Returns: The record that leads back to it.
    /// - Throws: `CocoaError.featureUnsupported` if the server takes each part for the whole, or refuses it; as
    ///   ``WebDAVProvider/writeStream(path:contents:length:options:reporting:)``.
    public func beginPartialWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite {
        try await beginRangedWrite(path: path, length: length, options: options, noting: note)
    }

    /// Sends a part; it counts when the server has taken all of it.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - offset: Where the part begins.
    ///   - contents: The bytes, iterated once, from the calling task.
    ///   - length: Bytes of the part.
    ///   - wrote: Called with the length at the end.
    /// - Throws: `PartialWriteLostError`; what the server says; what `contents` throws.
    public func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        try await writeRange(of: write, offset: offset, contents: contents, length: length)
        wrote(length)
    }

    /// Up to the last byte that the server has.
    ///
    /// - Parameter write: The write that was begun.
    /// - Returns: One range.
    /// - Throws: `PartialWriteLostError` when the temporary file is gone; errors of the connection.
    public func writtenRanges(of write: PartialWrite) async throws -> [Range<Int64>] {
        try await rangesWritten(of: write)
    }

    /// No server tells it.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - range: Some of the bytes.
    /// - Returns: `nil`.
    /// - Throws: Nothing.
    public func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String? { nil }

    /// Gives the file its name by a `MOVE`.
    ///
    /// - Parameters:
    ///   - write: The write that was begun; all of its bytes were written.
    ///   - options: The conditions for replacing a file, and the date to set.
    /// - Returns: `nil`: the server says nothing of it.
    /// - Throws: `PartialWriteLostError`; as ``WebDAVProvider/writeStream(path:contents:length:options:reporting:)``.
    @discardableResult
    public func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        try await finishRanges(of: write, options: options)
    }

    /// Removes the temporary file.
    ///
    /// - Parameter write: The write that was begun.
    /// - Throws: The error that keeps it from being removed.
    public func discardPartialWrite(_ write: PartialWrite) async throws {
        try await discardRanges(of: write)
    }
}
