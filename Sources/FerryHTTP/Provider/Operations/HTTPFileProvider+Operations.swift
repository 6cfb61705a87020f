public import FerryCore
public import Foundation
import HTTPTypes

extension HTTPFileProvider {
    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: `true` to make `parent` and missing folders above it.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile`.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        try Task.checkCancellation()
        let path = parent.appending(name)
        try checkName(of: path)
        if creatingParents {
            if let existing = try await attributesIfExists(path: path) {
                guard existing.isDirectory else { throw CocoaError.itemExists(path) }
                return
            }
            if !parent.isRoot, !parent.isIdentifier, try await attributesIfExists(path: parent) == nil {
                try await create(folder: parent.lastName, at: parent.parent, creatingParents: true)
            }
        } else if !capabilities.createsExclusively, try await attributesIfExists(path: path) != nil {
            throw CocoaError.itemExists(path)
        }
        do {
            try await makeFolder(path)
        } catch let error as CocoaError where creatingParents && error.code == .fileWriteFileExists {
            // Somebody else may have made it meanwhile.
            guard try await attributesIfExists(path: path)?.isDirectory == true else { throw error }
        }
    }

    func makeFolder(_ path: ItemPath) async throws {
        try await change(.create(path: path), target: path, overwrite: false, isDirectory: true)
    }

    /// Removes an item, a folder with all below it.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - progress: 1 unit.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission` (also for the root).
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try progress.checkCancellation()
        guard !path.isRoot else { throw CocoaError.topStays }
        cache?.remove(cacheKey(of: path))
        try await withCancellation(by: progress) {
            let request = try await request(
                for: .remove(path: path),
                overwrite: false,
                attributes: HTTPFileAttributes()
            )
            let answer = try await answer(to: request, about: path, whileWriting: true)
            try await understood(whileWriting: true) { try await confirm(.remove(path: path), by: answer) }
        }
        cache?.remove(cacheKey(of: path))
        progress?.finish()
    }

    /// Moves an item with all below it: by the server where it can, else by copying and removing.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit.
    /// - Throws: See `FileProviderOperations`.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await transfer(.move, path, to: target, overwrite: overwrite, reporting: progress)
    }

    /// Copies an item with all below it: by the server where it can, else by reading and writing.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The copy's path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit.
    /// - Throws: See `FileProviderOperations`.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await transfer(.copy, path, to: target, overwrite: overwrite, reporting: progress)
    }

    private func transfer(
        _ kind: HTTPTreeTransfer<Self>.Kind,
        _ path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try progress.checkCancellation()
        try await withCancellation(by: progress) {
            try await HTTPTreeTransfer(provider: self, kind: kind).perform(path, to: target, overwrite: overwrite)
        }
        progress?.finish()
    }

    /// Sends a request that changes something under a path.
    func change(
        _ operation: FileOperationType,
        target: ItemPath,
        overwrite: Bool,
        isDirectory: Bool
    ) async throws {
        defer { cache?.remove(cacheKey(of: target)) }
        let request = try await request(
            for: operation,
            overwrite: overwrite,
            attributes: HTTPFileAttributes(isDirectory: isDirectory)
        )
        let reply = try await send(request, about: operation.source.path ?? target)
        guard reply.status.kind == .successful else {
            let error = try await serverError(of: reply, path: operation.source.path ?? target)
            throw try await refusalOfWriting(error, to: target, overwrite: overwrite, isDirectory: isDirectory)
        }
        let answer = try await whole(reply)
        try await understood(whileWriting: true) { try await confirm(operation, by: answer) }
    }
}

extension CocoaError {
    fileprivate static var topStays: CocoaError {
        .file(.fileWriteNoPermission, path: .root, description: "the top of a storage can't be removed or moved")
    }
}
