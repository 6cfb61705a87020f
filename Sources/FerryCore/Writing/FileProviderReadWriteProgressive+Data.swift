public import Foundation
import NIOCore

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
