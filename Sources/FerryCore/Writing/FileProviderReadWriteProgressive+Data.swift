public import Foundation
import NIOCore

extension FileProviderReadWriteProgressive {
    /// Writes a file from chunks of `Data` as they come.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: Whether to replace, on which condition, with which date.
    ///   - progress: Bytes.
    /// - Returns: What the storage said of the written file without being asked again, or `nil`.
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
