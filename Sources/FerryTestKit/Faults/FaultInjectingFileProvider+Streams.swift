public import FerryCore
public import Foundation
public import NIOCore

extension FaultInjectingFileProvider where Base: FileProviderReadWriteProgressive {
    /// Opens a file, whose content may break off as planned.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part to read.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive.
    /// - Throws: The planned error, or what the base throws.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let faults = try await begin(FileProviderCall(.contentStream, path: path))
        let stream = try await base.contentStream(path: path, range: range, reporting: progress)
        try faults.end()
        return stream.cut(faults.cut)
    }

    /// Writes a file, whose content may break off as planned.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - contents: The chunks.
    ///   - length: Bytes in all.
    ///   - options: The conditions for replacing a file, and the date to set.
    ///   - progress: Bytes.
    /// - Returns: The value that the base returns.
    /// - Throws: The planned error, or what the base throws.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        let faults = try await begin(FileProviderCall(.writeStream, path: path))
        let file: FileObject?
        if let cut = faults.cut {
            file = try await base.writeStream(
                path: path,
                contents: CutChunks(base: contents, cut: cut),
                length: length,
                options: options,
                reporting: progress
            )
        } else {
            file = try await base.writeStream(
                path: path,
                contents: contents,
                length: length,
                options: options,
                reporting: progress
            )
        }
        try faults.end()
        return file
    }
}

extension FaultInjectingFileProvider where Base: FileProviderConditionalReading {
    /// Opens a file that has changed, whose content may break off as planned.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part to read.
    ///   - eTag: The version that the asker has.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive; `nil` if the file still has that version.
    /// - Throws: The planned error, or what the base throws.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        unless eTag: String,
        reporting progress: Progress?
    ) async throws -> FileContentStream? {
        let faults = try await begin(FileProviderCall(.changedContentStream, path: path))
        let stream = try await base.contentStream(path: path, range: range, unless: eTag, reporting: progress)
        try faults.end()
        return stream?.cut(faults.cut)
    }
}

extension FaultInjectingFileProvider where Base: FileProviderPartialWriting {
    /// Writes a part, whose content may break off as planned.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - offset: Where the part begins.
    ///   - contents: The chunks.
    ///   - length: Bytes of the part.
    ///   - wrote: Called with the number of bytes stored since the last call.
    /// - Throws: The planned error, or what the base throws.
    public func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        let faults = try await begin(FileProviderCall(.writePart, path: write.path))
        if let cut = faults.cut {
            let part = CutChunks(base: contents, cut: cut)
            try await base.writePart(of: write, offset: offset, contents: part, length: length, wrote: wrote)
        } else {
            try await base.writePart(of: write, offset: offset, contents: contents, length: length, wrote: wrote)
        }
        try faults.end()
    }
}

extension FaultInjectingFileProvider where Base: FileProviderVersioning {
    /// Opens an earlier content, which may break off as planned.
    ///
    /// - Parameters:
    ///   - version: Which one.
    ///   - path: The file.
    /// - Returns: Its bytes.
    /// - Throws: The planned error, or what the base throws.
    public func contentStream(of version: FileVersion, path: ItemPath) async throws -> FileContentStream {
        let faults = try await begin(FileProviderCall(.versionStream, path: path))
        let stream = try await base.contentStream(of: version, path: path)
        try faults.end()
        return stream.cut(faults.cut)
    }
}

extension FileContentStream {
    /// The same content, which breaks off.
    fileprivate func cut(_ cut: Cut?) -> FileContentStream {
        guard let cut else { return self }
        let chunks = SharedIterator(CutChunks(base: self, cut: cut))
        return FileContentStream(facts: facts) { try await chunks.next() }
    }
}

/// Chunks that break off after some bytes.
private struct CutChunks<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == ByteBuffer {
    typealias Element = ByteBuffer

    let base: Base
    let cut: Cut

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), left: cut.bytes, error: cut.error)
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var left: Int
        let error: (any Error)?

        mutating func next() async throws -> ByteBuffer? {
            guard left > 0 else {
                if let error { throw error }
                return nil
            }
            guard var chunk = try await base.next() else { return nil }
            let part = chunk.readSlice(length: Swift.min(left, chunk.readableBytes))
            left -= part?.readableBytes ?? 0
            return part
        }
    }
}

extension CutChunks.Iterator: Sendable where Base.AsyncIterator: Sendable {}
