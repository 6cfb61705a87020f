public import FerryCore
import Foundation

extension DropboxFileProvider: FileProviderChecksums {
    /// Returns the content hash of a file, which Dropbox keeps with it.
    ///
    /// - Parameters:
    ///   - kind: The kind; Dropbox keeps its own only.
    ///   - path: The file.
    /// - Returns: Lower-case hexadecimal; `nil` for another kind, and for documents that have no content of their own.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.isAFolder(_:)`; errors of the connection.
    public func checksum(_ kind: ChecksumKind, path: ItemPath) async throws -> String? {
        let item = try await attributesOfItem(path: path)
        guard !item.isDirectory else { throw CocoaError.isAFolder(path) }
        return item.extras[.checksums]?[kind]
    }
}
