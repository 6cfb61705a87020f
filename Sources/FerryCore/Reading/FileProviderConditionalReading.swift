public import Foundation

/// A storage that sends contents only if they are not the ones that the asker has already.
///
/// On HTTP storages that is one `GET` with `If-None-Match` (RFC 9110 §13.1.2): where nothing has changed no content
/// goes over the line, and where something has, no second question is needed.
public protocol FileProviderConditionalReading: FileProviderReadWriteProgressive {
    /// Opens a file, or a part of it, for reading, unless it still has a known version.
    ///
    /// A storage that takes no notice of the condition sends the contents: the stream's facts say of which version.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - range: The part to read.
    ///   - eTag: The version that the asker has, as the storage told it.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts of the answer, and the bytes as they arrive; `nil` if the file still has that version.
    /// - Throws: As ``FileProviderReadWriteProgressive/contentStream(path:range:reporting:)``.
    func contentStream(
        path: ItemPath,
        range: ByteRange,
        unless eTag: String,
        reporting progress: Progress?
    ) async throws -> FileContentStream?
}
