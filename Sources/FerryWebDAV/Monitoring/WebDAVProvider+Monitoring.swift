public import FerryCore

extension WebDAVProvider {
    /// Watches an item and all below it, by looking again and again: each second while things happen, each half minute
    /// when nothing has happened for a while.
    ///
    /// An item that comes and goes between two looks is never seen.
    ///
    /// - Parameter path: The item to watch; it must exist.
    /// - Returns: The changes as they are found; it throws when ten looks in a row have failed.
    /// - Throws: `CocoaError.fileNoSuchFile`; what keeps the item from being looked at.
    public func changes(under path: ItemPath) async throws -> FileChanges {
        var watch = PollingWatch(self, path: path)
        watch.clock = connection.clock
        watch.trustsFolderTags = connection.facts.tracking == .folderTags
        return try await watch.begin()
    }
}

extension WebDAVFileProvider: FileProviderMonitor {}
