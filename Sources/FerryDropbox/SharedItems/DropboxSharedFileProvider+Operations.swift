public import FerryCore
public import Foundation

extension DropboxSharedFileProvider: FileProviderOperations, FileProviderReadWrite {
    /// Makes a folder in a shared one.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: A Boolean value that indicates whether to make what is missing above it.
    /// - Throws: `CocoaError.fileWriteNoPermission` where the account may only look, and in the root; as in an account.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        let path = parent.appending(name)
        let folder: DropboxShownFolder
        let inner: ItemPath
        do {
            (folder, inner) = try await writable(path)
        } catch let error as CocoaError where creatingParents && path.parent.isRoot {
            // A shared folder is there already.
            guard try await attributesIfExists(path: path)?.isDirectory == true else { throw error }
            return
        }
        try await folder.perform {
            try await $0.create(folder: inner.lastName, at: inner.parent, creatingParents: creatingParents)
        }
    }

    /// Removes an item of a shared folder, a folder with all below it.
    ///
    /// - Parameters:
    ///   - path: The item; never what is shared itself.
    ///   - progress: 1 unit.
    /// - Throws: `CocoaError.fileWriteNoPermission` where the account may only look; as in an account.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        let (folder, inner) = try await writable(path)
        try await folder.perform { try await $0.removeItem(path: inner, reporting: progress) }
    }

    /// Moves an item inside its shared folder.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path.
    ///   - overwrite: A Boolean value that indicates whether a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for each item that is moved by itself.
    /// - Throws: `CocoaError.featureUnsupported` for another shared folder; as in an account.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let (source, inner) = try await writable(path)
        let (folder, place) = try await writable(target)
        guard source.path == folder.path else {
            throw CocoaError.unsupported("moving from one shared folder to another", path: path)
        }
        try await folder.perform {
            try await $0.moveItem(path: inner, to: place, overwrite: overwrite, reporting: progress)
        }
    }

    /// Copies an item into a shared folder, inside the same one at the server.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The copy's path.
    ///   - overwrite: A Boolean value that indicates whether a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for each item that is copied by itself; bytes where the file comes from elsewhere.
    /// - Throws: `CocoaError.featureUnsupported` for a folder of another shared one; as in an account.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let (folder, place) = try await writable(target)
        if case .folder(let source, let inner) = try await items.place(of: path), source.path == folder.path {
            return try await folder.perform {
                try await $0.copyItem(path: inner, to: place, overwrite: overwrite, reporting: progress)
            }
        }
        let item = try await attributesOfItem(path: path)
        guard !item.isDirectory else {
            throw CocoaError.unsupported("copying a folder from one shared folder to another", path: path)
        }
        let stream = try await contentStream(path: path, range: .all)
        try await writeStream(
            path: target,
            contents: stream,
            length: stream.facts.range.map { Int64($0.count) },
            options: WriteOptions(overwrite: overwrite, modifiedDate: stream.facts.modifiedDate),
            reporting: progress
        )
    }
}
