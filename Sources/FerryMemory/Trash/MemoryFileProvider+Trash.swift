public import FerryCore

extension MemoryFileProvider: FileProviderTrash {
    /// `false`: removed items are gone.
    public var trashesRemovedItems: Bool { false }

    /// Puts an item into the trash.
    @discardableResult
    public func trashItem(path: ItemPath) async throws -> TrashedItem {
        try change { tree, now in try tree.moveToTrash(path, now: now) }
    }

    /// Returns what is in the trash, latest first.
    public func trashedItems() async throws -> [TrashedItem] {
        try read { tree in tree.trashedItems }
    }

    /// Takes an item out of the trash.
    public func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) async throws {
        try change { tree, _ in try tree.restoreFromTrash(item, to: target) }
    }

    /// Removes items from the trash for good.
    public func emptyTrash(_ items: [TrashedItem]?) async throws {
        try change { tree, _ in try tree.emptyTrash(items) }
    }
}
