public import FerryCore
import FerryHTTP
public import Foundation

extension NextcloudFileProvider {
    /// Opens a file, or a part of it, for reading.
    ///
    /// - Parameters:
    ///   - path: The file, also by its identifier.
    ///   - range: The part to read.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts of the answer, and the bytes as they arrive; read it once.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; `CocoaError.isAFolder(_:)` for a folder.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try await files.contentStream(path: try await located(path), range: range, reporting: progress)
    }

    /// Opens a file that has changed, or a part of it.
    ///
    /// - Parameters:
    ///   - path: The file, also by its identifier.
    ///   - range: The part to read.
    ///   - eTag: The version that the asker has.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts of the answer, and the bytes as they arrive; `nil` if the file still has that version.
    /// - Throws: As ``contentStream(path:range:reporting:)``.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        unless eTag: String,
        reporting progress: Progress?
    ) async throws -> FileContentStream? {
        let place = try await located(path)
        return try await files.contentStream(path: place, range: range, unless: eTag, reporting: progress)
    }
}

extension NextcloudFileProvider {
    var files: NextcloudFiles { NextcloudFiles(provider: self) }

    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: `true` to make `parent` and what is missing above it.
    /// - Throws: `CocoaError.fileWriteFileExists` if anything has that name; `.fileNoSuchFile` without a parent.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        try Task.checkCancellation()
        let parent = try await located(parent)
        if !name.isEmpty { try requireName(of: parent.appending(name)) }
        try await patiently { try await files.create(folder: name, at: parent, creatingParents: creatingParents) }
    }

    /// Moves an item with all below it.
    ///
    /// - Parameters:
    ///   - path: The item, also by its identifier.
    ///   - target: Its new path, name included.
    ///   - overwrite: `true` if a file there may be replaced, which then is in the trash, or a folder merged into.
    ///   - progress: 1 unit for a rename, more for merged folders.
    /// - Throws: See ``/FerryCore/FileProviderOperations``.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let source = try await located(path)
        let target = try await located(new: target)
        try await patiently {
            try await files.moveItem(path: source, to: target, overwrite: overwrite, reporting: progress)
        }
    }

    /// Copies an item with all below it, on the server.
    ///
    /// - Parameters:
    ///   - path: The item, also by its identifier.
    ///   - target: The copy's path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for what the server copies as a whole.
    /// - Throws: See ``/FerryCore/FileProviderOperations``.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let source = try await located(path)
        let target = try await located(new: target)
        try await patiently {
            try await files.copyItem(path: source, to: target, overwrite: overwrite, reporting: progress)
        }
    }

    /// Removes an item, a folder with all below it; the server keeps it in its trash.
    ///
    /// - Parameters:
    ///   - path: The item, also by its identifier; never the root.
    ///   - progress: 1 unit.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        let located = try await located(path)
        try await avoidingClash(of: located) {
            try await patiently { try await files.removeItem(path: located, reporting: progress) }
        }
    }

    /// Downloads a file to this machine, with its modified date.
    ///
    /// - Parameters:
    ///   - path: The file on the server, also by its identifier.
    ///   - localURL: The URL of the file to make, name included.
    ///   - overwrite: `true` if a local file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: See ``/FerryCore/FileProviderOperations``.
    public func copyItem(
        path: ItemPath,
        toLocalURL localURL: URL,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let located = try await located(path)
        try await files.copyItem(path: located, toLocalURL: localURL, overwrite: overwrite, reporting: progress)
    }

    /// Refuses what the server is known to refuse.
    func requireName(of path: ItemPath) throws {
        if path.isRoot { return }
        try connection.checkAddressable(path.parent)
        guard let problem = facts.problem(withName: path.lastComponent) else { return }
        throw CocoaError.file(.fileWriteInvalidFileName, path: path, description: problem)
    }
}

extension NextcloudFileProvider {
    /// The items of a folder.
    ///
    /// - Parameter path: The folder, also by its identifier.
    /// - Returns: Pages as they arrive.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        guard path.beginsWithIdentifier else { return folderListing(path: path) }
        return DirectoryListing(opening: { try await self.folderListing(path: self.located(path)) })
    }

    /// Returns what the server knows about one item.
    ///
    /// - Parameter path: The item, also by its identifier.
    /// - Returns: The item.
    /// - Throws: `CocoaError.fileNoSuchFile` only when the server clearly says so.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await itemAttributes(path: try await located(path))
    }
}

extension NextcloudFileProvider: FileProviderTreeListing {
    /// All items below a folder, in one answer (`Depth: infinity`), which these servers give unless they are told not to.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Pages as they arrive, in the server's order; `nil` for an identifier, and where the server has refused
    ///   before.
    public func treeListing(path: ItemPath) -> DirectoryListing? {
        path.beginsWithIdentifier ? nil : deepListing(path: path)
    }
}

extension NextcloudFileProvider: FileProviderChangeTracking, FileProviderMonitor {}
