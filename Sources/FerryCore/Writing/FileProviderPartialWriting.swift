public import NIOCore

/// A storage that takes a file in parts, keeps them when the line or this process breaks off, and goes on later.
///
/// ```swift
/// let write = try await storage.beginPartialWrite(path: path, length: length, options: options)
/// try await storage.writePart(of: write, offset: 0, contents: chunks, length: length) { _ in }
/// try await storage.finishPartialWrite(write, options: options)
/// ```
///
/// Until it is finished, the file's name shows what it did before. What was begun stays until it is finished or
/// discarded, or the storage forgets it: keep the ``PartialWrite`` somewhere.
public protocol FileProviderPartialWriting: FileProviderBasic {
    /// Returns the limits that parts must keep.
    ///
    /// - Parameter length: Bytes of the whole file.
    /// - Returns: How parts must be; `nil` if this storage takes no file of this length in parts, as far as is known.
    /// - Throws: The error that keeps the storage from being asked.
    func partialWriteLimits(length: Int64) async throws -> PartialWriteLimits?

    /// Begins to write a file.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - length: Bytes in all, at least 1.
    ///   - options: The conditions for replacing a file: a write that would fail anyway is refused now.
    ///   - note: Called with the record that will lead back to it, before anything of it is on the storage: whoever
    ///     writes that down can discard it, however early the process dies. Any error that it throws keeps the write
    ///     from being begun.
    /// - Returns: The record that leads back to the write, also from another process.
    /// - Throws: `CocoaError.featureUnsupported` where it turns out that the storage takes no parts; else as
    ///   ``FileProviderReadWriteProgressive/writeStream(path:contents:length:options:reporting:)``. Then nothing of it
    ///   stays, as far as the storage can be reached.
    func beginPartialWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite

    /// Writes a part; writing the same again does no harm.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - offset: Where the part begins, as ``PartialWriteLimits`` want it.
    ///   - contents: The bytes, iterated once, from the calling task.
    ///   - length: Bytes of the part.
    ///   - wrote: Called with the number of bytes stored since the last call, also if the part then breaks off.
    /// - Throws: ``PartialWriteLostError`` when the storage knows no more of it; ``DamagedPartError`` where the storage has
    ///   found that out; `CocoaError.fileWriteOutOfSpace`; `URLError.wrongLength(expected:received:)`; what `contents`
    ///   throws.
    func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer

    /// Returns what the storage has, asked of the storage itself.
    ///
    /// - Parameter write: The write that was begun, maybe by an earlier process.
    /// - Returns: Ranges in order, apart from each other. With ``PartialWriteLimits/tellsSizeOnly``, one from the start to
    ///   the end of the last byte, in which there are holes where parts were not written in order.
    /// - Throws: ``PartialWriteLostError`` when the storage knows no more of it.
    func writtenRanges(of write: PartialWrite) async throws -> [Range<Int64>]

    /// The checksum of what the storage has, where that needs no transfer of its bytes, or of few.
    ///
    /// Storages that tell nothing but a length read up to 64 KiB for it: enough to see whether a file goes on where another
    /// one has ended.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - range: Some of the bytes.
    /// - Returns: The ``PartChecksum`` of the bytes; `nil` where the storage can't tell.
    /// - Throws: ``PartialWriteLostError``; why it can't be read.
    func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String?

    /// Gives the file its name, as atomically as any other write.
    ///
    /// - Parameters:
    ///   - write: The write that was begun; all of its bytes were written.
    ///   - options: The conditions for replacing a file, and the date to set.
    /// - Returns: The written file as the storage reported it without another request, or `nil`.
    /// - Throws: ``PartialWriteLostError``; `URLError.wrongLength(expected:received:)` where bytes are missing at the end;
    ///   else as ``FileProviderReadWriteProgressive/writeStream(path:contents:length:options:reporting:)``. What was
    ///   written stays.
    @discardableResult
    func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject?

    /// Removes what was written; that it is gone already is as good.
    ///
    /// - Parameter write: The write that was begun.
    /// - Throws: The error that keeps it from being removed.
    func discardPartialWrite(_ write: PartialWrite) async throws
}

extension FileProviderPartialWriting {
    /// Begins to write a file, for callers that need no way back to it if they die meanwhile.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - length: Bytes in all, at least 1.
    ///   - options: The conditions for replacing a file.
    /// - Returns: The record that leads back to the write.
    /// - Throws: As ``beginPartialWrite(path:length:options:noting:)``.
    public func beginPartialWrite(path: ItemPath, length: Int64, options: WriteOptions) async throws -> PartialWrite {
        try await beginPartialWrite(path: path, length: length, options: options) { _ in }
    }
}
