#if os(Linux)
import FerryCore

/// How folders are watched on this system: by inotify.
enum FolderWatch {
    /// Begins to watch; blocks until each folder is watched.
    ///
    /// - Parameters:
    ///   - path: The item to watch.
    ///   - provider: Where the path begins.
    ///   - movePatience: The time for which the other half of a move is waited for.
    /// - Returns: The changes from now on.
    /// - Throws: `CocoaError.fileNoSuchFile`; what keeps the folder, or as many folders, from being watched.
    static func begin(
        _ path: ItemPath,
        of provider: LocalFileProvider,
        movePatience: Duration = TreeWatch.patience
    ) async throws -> FileChanges {
        let (base, loop) = (provider.base, provider.watchLoop)
        return try await provider.pool.run {
            let tree = try WatchedTree(path, in: base, movePatience: movePatience)
            try mapping(.listing, path) { try loop.add(tree) }
            return tree.feed.changes { loop.remove(tree) }
        }
    }
}
#endif
