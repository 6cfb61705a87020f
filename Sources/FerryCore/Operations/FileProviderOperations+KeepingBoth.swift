public import Foundation

extension FileProviderOperations {
    /// Copies to the target, and after a conflict to a free name that a listing shows.
    public func copyItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        try await keepingBoth(at: target) { free in
            try await copyItem(path: path, to: free, overwrite: false, reporting: progress)
        }
    }

    /// Moves to the target, and after a conflict to a free name that a listing shows.
    public func moveItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        guard path != target else { throw CocoaError.itemExists(target) }
        return try await keepingBoth(at: target) { free in
            try await moveItem(path: path, to: free, overwrite: false, reporting: progress)
        }
    }

    /// Makes the folder, and after a conflict one with a free name that a listing shows.
    public func createFolder(keepingBothAt path: ItemPath) async throws -> FileObject {
        guard !path.isRoot, !path.isIdentifier else {
            throw CocoaError.file(.fileWriteInvalidFileName, path: path, description: "it has no name")
        }
        return try await keepingBoth(at: path) { free in
            try await create(folder: free.lastName, at: free.parent, creatingParents: false)
        }
    }

    /// Copies an item to a name that is free.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The path that the copy gets if it is free.
    /// - Returns: The copy.
    /// - Throws: As ``copyItem(path:keepingBothAt:reporting:)``.
    public func copyItem(path: ItemPath, keepingBothAt target: ItemPath) async throws -> FileObject {
        try await copyItem(path: path, keepingBothAt: target, reporting: nil)
    }

    /// Moves an item to a name that is free.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The path that it gets if that is free.
    /// - Returns: The item, at its new path.
    /// - Throws: As ``moveItem(path:keepingBothAt:reporting:)``.
    public func moveItem(path: ItemPath, keepingBothAt target: ItemPath) async throws -> FileObject {
        try await moveItem(path: path, keepingBothAt: target, reporting: nil)
    }
}

extension FileProviderBasic {
    /// Makes an item at a path, or at a free one if that is taken.
    ///
    /// - Parameters:
    ///   - target: The wanted path.
    ///   - make: Makes the item at a path, and throws `CocoaError.fileWriteFileExists` if something is there.
    /// - Returns: The item, as the storage describes it.
    /// - Throws: Any error that `make` throws; the conflict, if others took eight free names in a row.
    package func keepingBoth(
        at target: ItemPath,
        _ make: (ItemPath) async throws -> Void
    ) async throws -> FileObject {
        var path = target
        for _ in 1..<8 {
            do {
                try await make(path)
                return try await attributesOfItem(path: path)
            } catch let error as CocoaError where error.code == .fileWriteFileExists {
                path = try await fileByUniqueName(target)
            }
        }
        try await make(path)
        return try await attributesOfItem(path: path)
    }
}
