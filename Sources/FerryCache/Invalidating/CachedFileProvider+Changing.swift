public import FerryCore
public import Foundation

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
