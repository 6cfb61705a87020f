public import FerryCore
public import Foundation

extension DropboxSharedFileProvider: FileProviderReadWriteProgressive {
    /// Opens a file for reading; a line that breaks is taken up again at the byte where it broke.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The bytes.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive. The content hash of a file that was shared by itself is not known.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; errors of the connection.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try progress.checkCancellation()
        switch try await items.place(of: path) {
        case .root: throw CocoaError.isAFolder(path)
        case .folder(let folder, let inner):
            guard !inner.isRoot else { throw CocoaError.isAFolder(path) }
            return try await folder.perform {
                try await $0.contentStream(path: inner, range: range, reporting: progress)
            }
        case .file(let file):
            return try await DropboxDownload(account, path: path, page: file.file.page)
                .open(range, reporting: progress)
        }
    }
}
