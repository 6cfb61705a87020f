public import FerryCore
public import Foundation

extension MemoryFileProvider: FileProviderOperations {
    /// Makes a folder.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        let path = parent.appending(name)
        try change { tree, now in try tree.createFolder(path, creatingParents: creatingParents, now: now) }
    }

    /// Moves an item with all below it; it keeps its identifier.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try inOneStep(progress) { tree, _ in try tree.move(path, to: target, overwrite: overwrite) }
    }

    /// Copies an item with all below it.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try inOneStep(progress) { tree, now in try tree.copy(path, to: target, overwrite: overwrite, now: now) }
    }

    /// Removes an item for good; ``trashItem(path:)`` would keep it.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try inOneStep(progress) { tree, _ in try tree.remove(path) }
    }

    private func inOneStep(_ progress: Progress?, _ body: (inout MemoryTree, Date) throws -> Void) throws {
        try progress.checkCancellation()
        try change(body)
        progress?.finish()
    }
}

/// Each item is done by itself: there are no requests to be saved.
extension MemoryFileProvider: FileProviderBatchOperations {}
