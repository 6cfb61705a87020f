public import Foundation

/// A storage whose items can be made, moved, copied and removed.
///
/// Rules that hold everywhere:
/// - An existing target is replaced only when `overwrite` is `true`; else `CocoaError.fileWriteFileExists`.
/// - A file replaces a file. A folder that is put onto a folder is *merged* into it: files of the same name are
///   replaced, the others stay, since deleting is never implied. A file never replaces a folder, nor a folder a file.
/// - Onto itself is refused (`.fileWriteFileExists`), into itself too (`.fileWriteInvalidFileName`).
/// - The target's folder must exist (`.fileNoSuchFile` names it).
/// - Symbolic links are handled as themselves.
/// - A failed or cancelled call leaves nothing incomplete under a final name.
public protocol FileProviderOperations: FileProviderBasic {
    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: `true` to make `parent` and what is missing above it; then it is no error either if the
    ///     folder exists already.
    /// - Throws: `CocoaError.fileWriteFileExists` if anything has that name; `.fileNoSuchFile` without a parent.
    func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws

    /// Moves an item with all below it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for a rename, bytes if content must be copied.
    /// - Throws: See the protocol's rules.
    func moveItem(path: ItemPath, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws

    /// Copies an item with all below it, inside this storage.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The copy's path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: Bytes where content passes through here, else 1 unit for each item.
    /// - Throws: See the protocol's rules.
    func copyItem(path: ItemPath, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws

    /// Removes an item, a folder with all below it; of a symbolic link the link.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - progress: 1 unit, or items.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission` (also for the root).
    func removeItem(path: ItemPath, reporting progress: Progress?) async throws

    /// Uploads a file of this machine, with its modified date where the storage can keep it.
    ///
    /// - Parameters:
    ///   - localFile: The file's URL.
    ///   - target: Its path on the storage, name included.
    ///   - overwrite: `true` if a file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: See the protocol's rules; errors about the local file name its path.
    func copyItem(localFile: URL, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws

    /// Downloads a file to this machine, with its modified date.
    ///
    /// - Parameters:
    ///   - path: The file on the storage.
    ///   - localURL: The URL of the file to make, name included.
    ///   - overwrite: `true` if a local file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: See the protocol's rules; errors about the local file name its path.
    func copyItem(path: ItemPath, toLocalURL localURL: URL, overwrite: Bool, reporting progress: Progress?) async throws

    /// Copies an item with all below it, inside this storage, to a name that is free.
    ///
    /// If nothing is at the target, the copy gets that path; else a similar name in the same folder, with the same
    /// extension. What is there stays as it is: nothing is replaced, and no folder is merged into another. A copy onto
    /// itself is a duplicate beside it.
    ///
    /// The default tries the target, and after a conflict lists its folder to find a free name. Implement it where the
    /// server can choose the name by itself, in the same request.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The path that the copy gets if it is free.
    ///   - progress: Bytes where content passes through here, else 1 unit for each item.
    /// - Returns: The copy.
    /// - Throws: See the protocol's rules.
    func copyItem(path: ItemPath, keepingBothAt target: ItemPath, reporting progress: Progress?) async throws
        -> FileObject

    /// Moves an item with all below it to a name that is free.
    ///
    /// Names are chosen as in ``copyItem(path:keepingBothAt:reporting:)``.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The path that it gets if that is free.
    ///   - progress: 1 unit for a rename, bytes if content must be copied.
    /// - Returns: The item, at its new path.
    /// - Throws: See the protocol's rules; a move onto itself is `CocoaError.fileWriteFileExists`.
    func moveItem(path: ItemPath, keepingBothAt target: ItemPath, reporting progress: Progress?) async throws
        -> FileObject

    /// Makes a folder with a name that is free.
    ///
    /// Names are chosen as in ``copyItem(path:keepingBothAt:reporting:)``.
    ///
    /// - Parameter path: The path that the folder gets if it is free; the folder above must exist.
    /// - Returns: The folder.
    /// - Throws: See the protocol's rules.
    func createFolder(keepingBothAt path: ItemPath) async throws -> FileObject
}

extension FileProviderOperations {
    /// Makes a folder in an existing one.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    /// - Throws: As ``create(folder:at:creatingParents:)``.
    public func create(folder name: String, at parent: ItemPath) async throws {
        try await create(folder: name, at: parent, creatingParents: false)
    }

    /// Moves an item with all below it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    /// - Throws: See the protocol's rules.
    public func moveItem(path: ItemPath, to target: ItemPath, overwrite: Bool = false) async throws {
        try await moveItem(path: path, to: target, overwrite: overwrite, reporting: nil)
    }

    /// Copies an item with all below it, inside this storage.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The copy's path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    /// - Throws: See the protocol's rules.
    public func copyItem(path: ItemPath, to target: ItemPath, overwrite: Bool = false) async throws {
        try await copyItem(path: path, to: target, overwrite: overwrite, reporting: nil)
    }

    /// Removes an item, a folder with all below it; of a symbolic link the link.
    ///
    /// - Parameter path: The item; never the root.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`.
    public func removeItem(path: ItemPath) async throws {
        try await removeItem(path: path, reporting: nil)
    }

    /// Uploads a file of this machine.
    ///
    /// - Parameters:
    ///   - localFile: The file's URL.
    ///   - target: Its path on the storage, name included.
    ///   - overwrite: `true` if a file there may be replaced.
    /// - Throws: See the protocol's rules.
    public func copyItem(localFile: URL, to target: ItemPath, overwrite: Bool = false) async throws {
        try await copyItem(localFile: localFile, to: target, overwrite: overwrite, reporting: nil)
    }

    /// Downloads a file to this machine.
    ///
    /// - Parameters:
    ///   - path: The file on the storage.
    ///   - localURL: The URL of the file to make, name included.
    ///   - overwrite: `true` if a local file there may be replaced.
    /// - Throws: See the protocol's rules.
    public func copyItem(path: ItemPath, toLocalURL localURL: URL, overwrite: Bool = false) async throws {
        try await copyItem(path: path, toLocalURL: localURL, overwrite: overwrite, reporting: nil)
    }
}
