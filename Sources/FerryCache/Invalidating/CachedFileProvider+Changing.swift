public import FerryCore
public import Foundation
public import NIOCore

extension CachedFileProvider where Base: FileProviderOperations {
    /// Moves an item; what is kept of it, and of all below it, moves along.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: As the base's.
    /// - Throws: Any error that the base throws.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await engine.moving(path, to: target, replaces: overwrite) {
            try await base.moveItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
    }
}

extension CachedFileProvider where Base: FileProviderBulkWriting {
    /// Writes small files; what is kept of them is forgotten.
    ///
    /// - Parameters:
    ///   - files: Any number of files, each of another path.
    ///   - overwrite: `true` if existing files may be replaced.
    /// - Returns: For each file, what the base says of it.
    /// - Throws: Any error that the base throws.
    public func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        try await engine.changing(files.map { .item($0.path) }) {
            try await base.writeFiles(files, overwrite: overwrite)
        }
    }
}

extension CachedFileProvider where Base: FileProviderBatchOperations {
    /// Removes items; what is kept of each is forgotten.
    ///
    /// - Parameter paths: Any number of items.
    /// - Returns: For each item, success or the base's error.
    /// - Throws: Any error that the base throws.
    public func removeItems(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        try await engine.changing(paths.map { .item($0) }) { try await base.removeItems(paths) }
    }

    /// Moves items; what is kept of each, and of its target, is forgotten.
    ///
    /// - Parameters:
    ///   - moves: Any number of items, each with its new path.
    ///   - overwrite: `true` if files there may be replaced, and folders merged into.
    /// - Returns: For each item, success or the base's error.
    /// - Throws: Any error that the base throws.
    public func moveItems(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        try await engine.changing(moves.flatMap { [.item($0.path), .item($0.target)] }) {
            try await base.moveItems(moves, overwrite: overwrite)
        }
    }

    /// Sets attributes; what is kept of each item is forgotten.
    ///
    /// - Parameter changes: Any number of items, each with its attributes.
    /// - Returns: For each item, success or the base's error.
    /// - Throws: Any error that the base throws.
    public func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        try await engine.changing(changes.map { .item($0.path) }) { try await base.setAttributes(changes) }
    }
}

// Items whose names the storage chooses: what is kept about the chosen path, too, is forgotten.

extension CachedFileProvider where Base: FileProviderOperations {
    /// Copies an item to a name that is free.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The path that the copy gets if it is free.
    ///   - progress: As the base's.
    /// - Returns: The copy.
    /// - Throws: Any error that the base throws.
    public func copyItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        try await engine.making([.item(target)]) {
            try await base.copyItem(path: path, keepingBothAt: target, reporting: progress)
        }
    }

    /// Moves an item to a name that is free.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The path that it gets if that is free.
    ///   - progress: As the base's.
    /// - Returns: The item, at its new path.
    /// - Throws: Any error that the base throws.
    public func moveItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        try await engine.making([.item(path), .item(target)]) {
            try await base.moveItem(path: path, keepingBothAt: target, reporting: progress)
        }
    }

    /// Makes a folder with a name that is free.
    ///
    /// - Parameter path: The path that the folder gets if it is free.
    /// - Returns: The folder.
    /// - Throws: Any error that the base throws.
    public func createFolder(keepingBothAt path: ItemPath) async throws -> FileObject {
        try await engine.making([.item(path)]) { try await base.createFolder(keepingBothAt: path) }
    }
}

extension CachedFileProvider where Base: FileProviderReadWriteProgressive {
    /// Writes a new file with a name that is free.
    ///
    /// - Parameters:
    ///   - path: The path that the file gets if it is free.
    ///   - contents: The chunks, iterated once.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - modifiedDate: The date to set, where the storage can.
    ///   - progress: Bytes.
    /// - Returns: The file.
    /// - Throws: Any error that the base throws.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        keepingBothAt path: ItemPath,
        contents: Contents,
        length: Int64?,
        modifiedDate: Date?,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        try await engine.making([.item(path)]) {
            try await base.writeStream(
                keepingBothAt: path,
                contents: contents,
                length: length,
                modifiedDate: modifiedDate,
                reporting: progress
            )
        }
    }
}
