public import FerryCore

extension MemoryFileProvider: FileProviderMonitor {
    /// Watches an item and all below it.
    public func changes(under path: ItemPath) async throws -> FileChanges {
        let watched = try read { tree in
            let node = try tree.find(path)
            return tree.path(of: node.id) ?? path
        }
        return watchers.watch(watched)
    }
}
