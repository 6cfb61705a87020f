public import FerryCore
import Foundation

extension WebDAVProvider {
    /// The items of a folder.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Pages as they arrive.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing { { nil } }
    }

    /// What the server knows about one item.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item.
    /// - Throws: `CocoaError.featureUnsupported`.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        throw CocoaError.unsupported("listing", path: path)
    }
}
