public import FerryCore
import FerryHTTP
public import Foundation

extension OneDriveFileProvider {
    /// Opens a file for reading; a line that breaks is taken up again at the byte where it broke.
    ///
    /// The content comes from a URL that carries its own permission, to which no login goes. Its checksum is compared
    /// where all of the file is read.
    ///
    /// - Parameters:
    ///   - path: The file; `rev:` leads to an earlier content.
    ///   - range: The bytes.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; errors of the connection.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try progress.checkCancellation()
        return try await OneDriveDownload(self, path: path).open(range, reporting: progress)
    }

    /// Opens a file for reading unless it still has a known eTag.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The bytes.
    ///   - eTag: The known eTag.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive; `nil` if the file has not changed.
    /// - Throws: As ``contentStream(path:range:reporting:)``.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        unless eTag: String,
        reporting progress: Progress?
    ) async throws -> FileContentStream? {
        try progress.checkCancellation()
        let item = try await attributesOfItem(path: path)
        guard !item.isDirectory else { throw CocoaError.isAFolder(path) }
        if item.eTag == eTag { return nil }
        return try await contentStream(path: path, range: range, reporting: progress)
    }
}
