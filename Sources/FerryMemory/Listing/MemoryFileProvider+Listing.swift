public import FerryCore
import Foundation
import Synchronization

extension MemoryFileProvider {
    /// The items of a folder by name, as they were when the first page was asked for.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing { [self] in
            let rest = Mutex<ArraySlice<FileObject>?>(nil)
            return {
                var items = try rest.withLock { $0 } ?? self.items(in: path)
                let page = Array(items.prefix(self.pageSize))
                items = items.dropFirst(page.count)
                rest.withLock { $0 = items }
                return page.isEmpty ? nil : page
            }
        }
    }

    private func items(in path: ItemPath) throws -> ArraySlice<FileObject> {
        try read { tree in
            let folder = try tree.find(path, followingLink: true)
            guard folder.isFolder else { throw CocoaError.notAFolder(path) }
            let folderPath = path.beginsWithIdentifier ? tree.path(of: folder.id) ?? path : path
            return try folder.children.sorted { $0.key < $1.key }
                .map { tree.fileObject(try tree.node($0.value), in: folderPath) }[...]
        }
    }
}
