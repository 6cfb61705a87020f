public import FerryCore
import Foundation

extension LocalFileProvider {
    /// The items of a folder, in the file system's order.
    ///
    /// - Parameter path: The folder; a link to one will do.
    /// - Returns: Pages of about 1,000 items.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing { [base, pool] in
            let reader = FolderReader(path, in: base)
            return { try await pool.run { try reader.nextPage() } }
        }
    }

    /// What the system knows about one item; of a link, about the link itself.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item, with what a link holds, owner, dates and space among its extras.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await pool.run { [base] in
            do {
                let place = try base.place(of: path)
                return try FileObject(path: path, status: place.status(), at: place)
            } catch let error as Errno {
                throw error.mapped(.reading, path)
            }
        }
    }
}
