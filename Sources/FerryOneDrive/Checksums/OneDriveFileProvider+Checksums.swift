public import FerryCore
import Foundation

extension OneDriveFileProvider: FileProviderChecksums {
    /// Returns a checksum of a file that the service keeps with it.
    ///
    /// - Parameters:
    ///   - kind: The kind; nearly all drives keep QuickXorHash only.
    ///   - path: The file.
    /// - Returns: The checksum; `nil` for a kind that the service does not keep, and while it has still to work it out.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.isAFolder(_:)`; errors of the connection.
    public func checksum(_ kind: ChecksumKind, path: ItemPath) async throws -> String? {
        let item = try await attributesOfItem(path: path)
        guard !item.isDirectory else { throw CocoaError.isAFolder(path) }
        return item.extras[.checksums]?[kind]
    }
}
