public import FerryCore

extension FTPFileProvider: FileProviderMonitor {
    /// Watches an item and all below it, by looking again and again: each second while things happen, each half minute
    /// when nothing has happened for a while.
    ///
    /// - Parameter path: The item to watch; it must exist.
    /// - Returns: The changes as they are found; what comes and goes between two looks is never seen.
    /// - Throws: `CocoaError.fileNoSuchFile`; what keeps the item from being looked at.
    public func changes(under path: ItemPath) async throws -> FileChanges {
        try await PollingWatch(self, path: path).begin()
    }
}
