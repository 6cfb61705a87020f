public import FerryCore
public import Foundation

extension FTPFileProvider: FileProviderOperations {}
extension FTPFileProvider: FileProviderReadWrite {}

extension FTPFileProvider {
    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: `true` to make what is missing above it; then it is no error if the folder exists.
    /// - Throws: See `FileProviderOperations`.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        let path = parent.appending(name)
        if name.isEmpty || path.isRoot {
            throw CocoaError.file(.fileWriteInvalidFileName, path: parent, description: "the name is empty")
        }
        try await call(path, isWriting: true) { session in
            try session.makeFolder(path, creatingParents: creatingParents)
        }
    }

    /// Removes an item, a folder with all below it; of a symbolic link the link.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - progress: 1 unit.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try progress.checkCancellation()
        if path.isRoot {
            throw CocoaError.file(.fileWriteNoPermission, path: path, description: "the root can't be removed")
        }
        // A file or a link is removed without a look at it first, which on servers without `MLST` is a listing.
        let isRemoved = try await call(path, isWriting: true, reporting: progress) { session in
            session.server.forgetWritten()
            return try !session.command("DELE", try session.server.path(of: path)).isRefusal
        }
        if !isRemoved {
            guard let item = try await item(at: path, reporting: progress) else { throw CocoaError.noSuchItem(path) }
            // A folder whose content was removed in part is removed further by asking again.
            try await call(path, isWriting: true, reporting: progress) {
                try $0.remove(path, isFolder: item.isDirectory)
            }
        }
        progress?.finish()
    }

    /// Moves an item with all below it, by renaming it on the server.
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
        try progress.checkCancellation()
        try requireSense(path, target)
        server.forgetWritten()
        if let there = try await item(at: target, reporting: progress) {
            guard let source = try await item(at: path, reporting: progress) else { throw CocoaError.noSuchItem(path) }
            guard overwrite, source.isDirectory == there.isDirectory else { throw CocoaError.itemExists(target) }
            if source.isDirectory {
                try await merge(path, into: target, progress)
            } else {
                try await call(path, isWriting: true, reporting: progress) { session in
                    try session.settle(path, at: target, overwrite: true)
                }
            }
        } else {
            try await requireFolder(above: target)
            try await call(path, isWriting: true, reporting: progress) { try $0.move(path, to: target) }
        }
        progress?.finish()
    }

    private func requireFolder(above path: ItemPath) async throws {
        if path.parent.isRoot { return }
        if try await call(path.parent, { try $0.quickKind(at: path.parent) }) == .directory { return }
        guard let folder = try await item(at: path.parent) else { throw CocoaError.noSuchItem(path.parent) }
        guard folder.isDirectory || folder.isSymbolicLink else {
            throw CocoaError.notAFolder(path.parent, whileWriting: true)
        }
    }

    /// Refuses what makes no sense whatever is there.
    func requireSense(_ source: ItemPath, _ target: ItemPath) throws {
        if source.isRoot {
            throw CocoaError.file(.fileWriteNoPermission, path: source, description: "the root stays where it is")
        }
        if source == target { throw CocoaError.sameItem(source) }
        if target.isBelow(source) { throw CocoaError.intoItself(source, target: target) }
        if target.isRoot { throw CocoaError.itemExists(target) }
        guard try server.path(of: target).isTransferable else { throw Self.controlCharacters(target) }
    }

    /// Moves what is in a folder into another, and removes the folder.
    private func merge(_ source: ItemPath, into target: ItemPath, _ progress: Progress?) async throws {
        try await requireMergeable(source, into: target)
        for item in try await contentsOfDirectory(path: source) {
            try progress.checkCancellation()
            try await moveItem(path: item.path, to: target.appending(item.name), overwrite: true, reporting: nil)
        }
        try await call(source, isWriting: true, reporting: progress) { session in
            try session.remove(source, isFolder: true, isEmpty: true)
        }
    }

    /// Looks for what can't be merged before anything is moved: a file where a folder is, or the other way round.
    func requireMergeable(_ source: ItemPath, into target: ItemPath) async throws {
        var there: [ItemPath: FileObject] = [:]
        for item in try await contentsOfDirectory(path: target) { there[item.path] = item }
        for item in try await contentsOfDirectory(path: source) {
            let path = target.appending(item.name)
            guard let other = there[path] else { continue }
            if other.isDirectory != item.isDirectory { throw CocoaError.itemExists(path) }
            if item.isDirectory { try await requireMergeable(item.path, into: path) }
        }
    }
}

extension FTPSession {
    /// Makes a folder, and maybe those above it.
    func makeFolder(_ path: ItemPath, creatingParents: Bool) throws {
        let place = try server.path(of: path)
        guard place.isTransferable else { throw FTPFileProvider.controlCharacters(path) }
        var reply = try command("MKD", place)
        guard reply.isRefusal else { return }
        if creatingParents, !path.parent.isRoot, try quickKind(at: path) == nil, try item(at: path) == nil {
            try makeFolderAbove(path)
            reply = try command("MKD", place)
            guard reply.isRefusal else { return }
        }
        if let item = try item(at: path) {
            if creatingParents, try isFolder(item) { return }
            throw CocoaError.itemExists(path, underlying: FTPServerError(reply, path))
        }
        throw try explained(.refusal(reply), writing: path)
    }

    private func makeFolderAbove(_ path: ItemPath) throws {
        do {
            try makeFolder(path.parent, creatingParents: true)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw CocoaError.notAFolder(path.parent, whileWriting: true)
        }
    }

    /// Returns whether items can be in an item: it is a folder, or a link to one.
    private func isFolder(_ item: FileObject) throws -> Bool {
        if item.isSymbolicLink { return try command("CWD", try server.path(of: item.path)).isSuccess }
        return item.isDirectory
    }

    /// Renames an item to a name that is free.
    func move(_ path: ItemPath, to target: ItemPath) throws {
        let source = try server.path(of: path)
        let first = try command("RNFR", source)
        guard first.isIntermediate else { throw try explained(.refusal(first), changing: path) }
        let second = try command("RNTO", try server.path(of: target))
        if second.isRefusal { throw try explained(.refusal(second), writing: target) }
    }

    /// Removes an item, a folder with all below it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - isFolder: `true` if it is a folder.
    ///   - isEmpty: `true` if nothing should be in the folder any more.
    /// - Throws: `FTPFailure`, errors of Foundation's.
    func remove(_ path: ItemPath, isFolder: Bool, isEmpty: Bool = false) throws {
        if cancellation.isCancelled { throw CancellationError() }
        let place = try server.path(of: path)
        guard isFolder else {
            let reply = try command("DELE", place)
            if reply.isRefusal { throw try explained(.refusal(reply), changing: path) }
            return
        }
        if server.options.removesTrees, !isEmpty, try !command("SITE RMDIR", place).isRefusal { return }
        if !isEmpty {
            var items: [FileObject] = []
            do {
                try list(path) { page in
                    items += page
                    return true
                }
            } catch let failure as FTPFailure {
                throw try explained(failure, listing: path)
            }
            for item in items { try remove(item.path, isFolder: item.isDirectory) }
        }
        let reply = try command("RMD", place)
        if reply.isRefusal { throw try explained(.refusal(reply), changing: path) }
    }
}
