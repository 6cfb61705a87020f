public import FerryCore

extension LocalFileProvider: FileProviderMonitor {
    /// Watches an item and all below it, by what the system itself tells.
    ///
    /// - An item that is renamed inside the watched folder is one
    ///   ``/FerryCore/FileChange/Kind-swift.enum/moved(from:)``, a folder with all below it; an item at the new path is
    ///   replaced. Items that come from outside are created, each for itself; items that go outside are removed.
    /// - Links are items, and are not followed; one that is itself watched is, if it leads to a folder.
    /// - When the system has dropped changes, as it does when very many come at once, or two items have exchanged their
    ///   names, or a disk below was unmounted, there is a ``/FerryCore/FileChange/Kind-swift.enum/rescan``: list that
    ///   again.
    /// - Files that are not complete yet, with names such as `.ferry-0123456789abcdef.tmp`, are not reported.
    /// - The system reports changes by programs on this machine, not those by other machines on a network's disk.
    ///
    /// - Parameter path: The item to watch; it must exist.
    /// - Returns: The changes from now on, some 0.05 s after they happen. It ends when the watched item is removed or moved
    ///   away, and throws when its disk is unmounted.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; on Linux, `.fileReadUnknown` when the system's limit
    ///   on watched folders is reached: the suggestion names the setting.
    public func changes(under path: ItemPath) async throws -> FileChanges {
        try await FolderWatch.begin(path, of: self)
    }
}
