public import Foundation
public import NIOCore

/// A storage whose files can be read and written as streams, in bounded memory.
///
/// A provider that implements these two gets whole contents, uploads and downloads for free.
public protocol FileProviderReadWriteProgressive: FileProviderBasic {
    /// Opens a file, or a part of it, for reading.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - range: The part to read.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts of the answer, and the bytes as they arrive; read it once.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; `CocoaError.isAFolder(_:)` for a folder.
    func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream

    /// Writes a file from chunks as they come.
    ///
    /// The old content stays until all chunks have arrived. If the sequence throws, or delivers another length than
    /// announced, nothing is left of the new content.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The conditions for replacing a file, and the date to set.
    ///   - progress: Bytes.
    /// - Returns: The written file as the storage reported it without another request, or `nil`.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile`, ``PreconditionFailedError``,
    ///   `URLError.wrongLength(expected:received:)`; what `contents` throws.
    @discardableResult
    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer

    /// Writes a new file from chunks as they come, with a name that is free.
    ///
    /// If nothing is at the path, the file gets it; else a similar name in the same folder, with the same extension.
    /// A file that is there stays as it is.
    ///
    /// The default lists the folder to find a free name first. Implement it where the server can choose the name by
    /// itself, in the same request.
    ///
    /// - Parameters:
    ///   - path: The path that the file gets if it is free; its folder must exist.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - modifiedDate: The date to set, where the storage can.
    ///   - progress: Bytes.
    /// - Returns: The file.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``; by the default also
    ///   `CocoaError.fileWriteFileExists`, if somebody else takes the free name meanwhile.
    @discardableResult
    func writeStream<Contents: AsyncSequence & Sendable>(
        keepingBothAt path: ItemPath,
        contents: Contents,
        length: Int64?,
        modifiedDate: Date?,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer
}

extension FileProviderReadWriteProgressive {
    /// Opens a file, or a part of it, for reading.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - range: The part to read.
    /// - Returns: The facts of the answer, and the bytes as they arrive; read it once.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`.
    public func contentStream(path: ItemPath, range: ByteRange = .all) async throws -> FileContentStream {
        try await contentStream(path: path, range: range, reporting: nil)
    }

    /// Writes a file from chunks as they come.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The conditions for replacing a file, and the date to set.
    /// - Returns: The written file as the storage reported it without another request, or `nil`.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64? = nil,
        options: WriteOptions = WriteOptions()
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try await writeStream(path: path, contents: contents, length: length, options: options, reporting: nil)
    }
}

extension FileProviderReadWriteProgressive {
    /// Lists the folder to find a free name, and writes the file there.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        keepingBothAt path: ItemPath,
        contents: Contents,
        length: Int64?,
        modifiedDate: Date?,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        // The chunks come once: a conflict that shows after them could not be answered by another try.
        let free = try await fileByUniqueName(path)
        let written = try await writeStream(
            path: free,
            contents: contents,
            length: length,
            options: WriteOptions(modifiedDate: modifiedDate),
            reporting: progress
        )
        if let written { return written }
        return try await attributesOfItem(path: free)
    }
}

// MARK: - Whole contents from streams

extension FileProviderReadWrite where Self: FileProviderReadWriteProgressive {
    /// Reads the stream to its end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - progress: Bytes.
    /// - Returns: All bytes.
    /// - Throws: Any error that the stream throws.
    public func contents(path: ItemPath, reporting progress: Progress?) async throws -> Data {
        try await contentStream(path: path, range: .all, reporting: progress).collect()
    }

    /// Reads the stream of the part to its end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - offset: Bytes from the start of the file.
    ///   - length: Bytes; `nil` for all that follows.
    ///   - progress: Bytes.
    /// - Returns: The part.
    /// - Throws: Any error that the stream throws.
    public func contents(
        path: ItemPath,
        offset: Int64,
        length: Int64?,
        reporting progress: Progress?
    ) async throws -> Data {
        let range = ByteRange(offset: offset, length: length)
        return try await contentStream(path: path, range: range, reporting: progress).collect()
    }

    /// Writes the bytes as a stream of chunks.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - contents: All bytes.
    ///   - atomically: `true` if the final name must never show a mixture.
    ///   - overwrite: `true` if an existing file may be replaced.
    ///   - progress: Bytes.
    /// - Throws: Any error that writing throws.
    public func writeContents(
        path: ItemPath,
        contents: Data,
        atomically: Bool,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await writeStream(
            path: path,
            contents: DataChunks(contents),
            length: Int64(contents.count),
            options: WriteOptions(overwrite: overwrite, atomically: atomically),
            reporting: progress
        )
    }
}

extension FileProviderReadWriteProgressive {
    /// Writes a file from chunks of `Data` as they come.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The conditions for replacing a file, and the date to set.
    ///   - progress: Bytes.
    /// - Returns: The written file as the storage reported it without another request, or `nil`.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``.
    @discardableResult
    public func writeStream<Chunks: AsyncSequence & Sendable>(
        path: ItemPath,
        data contents: Chunks,
        length: Int64? = nil,
        options: WriteOptions = WriteOptions(),
        reporting progress: Progress? = nil
    ) async throws -> FileObject? where Chunks.Element == Data {
        try await writeStream(
            path: path,
            contents: contents.map { ByteBuffer(bytes: $0) },
            length: length,
            options: options,
            reporting: progress
        )
    }
}
