public import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider: FileProviderMonitor {
    /// Watches an item and all below it; Dropbox answers as soon as something changes.
    ///
    /// - Parameter path: The item to watch; it must exist.
    /// - Returns: The changes as they happen.
    /// - Throws: `CocoaError.fileNoSuchFile`; what keeps Dropbox from being asked.
    public func changes(under path: ItemPath) async throws -> FileChanges {
        let item = try await attributesOfItem(path: path)
        let watch = DropboxWatch(provider: self, path: item.path, isFolder: item.isDirectory)
        let cursor = try await latestCursor(of: watch.folder)
        let feed = FileChangeFeed(under: item.path)
        // It ends with the reader, whoever lets go of that.
        let watching = Task { await watch.run(from: cursor, feed) }
        return feed.changes { watching.cancel() }
    }
}
