import Foundation

/// Copies, moves or removes a tree item by item, so that the delegate decides about each.
///
/// Without a delegate a storage does a whole tree in one step; with one, folders are made anew and filled.
struct JudgedTree<Provider: FileProviderOperations>: Sendable {
    let provider: Provider
    let judge: OperationJudge
    let progress: Progress

    /// Removes an item; `false` if it, or anything in it, was to stay.
    func remove(_ path: ItemPath) async throws -> Bool {
        let operation = FileOperationType.remove(path: path)
        guard await judge.shouldOperate(operation) else { return false }
        if try await provider.attributesOfItem(path: path).isDirectory {
            guard try await forEachItem(of: path, operation, remove) else { return false }
        }
        return try await judge.perform(operation) {
            try await requireEmpty(path)
            try await provider.removeItem(path: path)
            progress.completedUnitCount += 1
        }
    }

    /// Copies an item; `false` if it, or anything in it, was left out.
    func copy(_ path: ItemPath, to target: ItemPath, overwrite: Bool) async throws -> Bool {
        let operation = FileOperationType.copy(source: .item(path), destination: .item(target))
        guard await judge.shouldOperate(operation) else { return false }
        guard try await provider.attributesOfItem(path: path).isDirectory else {
            return try await judge.perform(operation) {
                try await provider.copyItem(path: path, to: target, overwrite: overwrite)
                progress.completedUnitCount += 1
            }
        }
        let made = try await judge.perform(operation) {
            try await makeFolder(target, for: path, overwrite: overwrite)
        }
        guard made else { return false }
        return try await forEachItem(of: path, operation) { child in
            try await copy(child, to: target.appending(component: child.lastComponent), overwrite: overwrite)
        }
    }

    /// Moves an item; `false` if it, or anything in it, stayed.
    func move(_ path: ItemPath, to target: ItemPath, overwrite: Bool) async throws -> Bool {
        let operation = FileOperationType.move(source: path, destination: target)
        guard await judge.shouldOperate(operation) else { return false }
        guard try await provider.attributesOfItem(path: path).isDirectory else {
            return try await judge.perform(operation) {
                try await provider.moveItem(path: path, to: target, overwrite: overwrite)
                progress.completedUnitCount += 1
            }
        }
        let made = try await judge.perform(operation) {
            try await makeFolder(target, for: path, overwrite: overwrite)
        }
        guard made else { return false }
        let all = try await forEachItem(of: path, operation) { child in
            try await move(child, to: target.appending(component: child.lastComponent), overwrite: overwrite)
        }
        guard all else { return false }
        return try await judge.perform(operation) {
            try await requireEmpty(path)
            try await provider.removeItem(path: path)
        }
    }

    /// Does each item of a folder; a listing that fails is the folder's own failure.
    private func forEachItem(
        of folder: ItemPath,
        _ operation: FileOperationType,
        _ body: (ItemPath) async throws -> Bool
    ) async throws -> Bool {
        var items: [FileObject] = []
        let listed = try await judge.perform(operation) {
            items = try await provider.contentsOfDirectory(path: folder)
        }
        var all = listed
        for item in items where try await !body(item.path) { all = false }
        return all
    }

    /// Nothing goes that nobody was asked about, even if it came in the meantime.
    private func requireEmpty(_ path: ItemPath) async throws {
        guard try await provider.attributesOfItem(path: path).isDirectory else { return }
        guard try await provider.contentsOfDirectory(path: path).isEmpty else {
            throw PreconditionFailedError(path: path)
        }
    }

    private func makeFolder(_ target: ItemPath, for source: ItemPath, overwrite: Bool) async throws {
        guard target != source else { throw CocoaError.sameItem(source) }
        guard !target.isBelow(source) else { throw CocoaError.intoItself(source, target: target) }
        do {
            try await provider.create(folder: target.lastName, at: target.parent)
        } catch let error as CocoaError where error.code == .fileWriteFileExists && overwrite {
            guard try await provider.attributesOfItem(path: target).isDirectory else { throw error }
        }
        progress.completedUnitCount += 1
    }
}
