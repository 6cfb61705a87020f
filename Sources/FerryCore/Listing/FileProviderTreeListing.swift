/// A storage that can list a folder with all below it in one go, which is much quicker than folder after folder.
///
/// ``TreeWalk`` makes use of it for trees that are not too large to be held, and searching does for trees of any size.
public protocol FileProviderTreeListing: FileProviderBasic {
    /// All items below a folder.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Pages as they arrive, in which items of several folders are mixed in any order; they throw as those of
    ///   ``FileProviderBasic/directoryListing(path:)``. `nil` where the storage is known to refuse.
    func treeListing(path: ItemPath) -> DirectoryListing?
}

extension DirectoryListing {
    /// The items of this listing by their folders.
    ///
    /// - Parameters:
    ///   - top: The folder that everything is below.
    ///   - limit: Items at most.
    /// - Returns: The items of each folder, in the order of the listing, empty folders among them; `nil` if there are
    ///   more than `limit`.
    /// - Throws: The error that keeps the listing from being complete.
    func tree(below top: ItemPath, limit: Int) async throws -> [ItemPath: [FileObject]]? {
        var folders: [ItemPath: [FileObject]] = [top: []]
        var count = 0
        for try await page in self {
            count += page.count
            guard count <= limit else { return nil }
            for item in page {
                folders[item.path.parent, default: []].append(item)
                if item.isDirectory { folders[item.path, default: []] += [] }
            }
        }
        return folders
    }
}
