public import FerryCore
public import Foundation

extension LocalFileProvider {
    /// Removes an item, a folder with all below it; of a link the link, never what it leads to.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - progress: Items.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission` (also for the root). What was not removed when an
    ///   error came stays as it is.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try await removeItem(path: path, reporting: progress, onError: nil)
    }

    /// Removes an item with all below it, and may go on after errors.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - progress: Items.
    ///   - onError: Called with the item that could not be removed, and the error; returns `true` to go on.
    /// - Throws: As ``removeItem(path:reporting:)``, for an error that `onError` did not go on after.
    public func removeItem(
        path: ItemPath,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws {
        let job = Job(reporting: progress, onError: onError)
        try await run(job, writing: [path]) { [base] in
            if path.isRoot { throw CocoaError.baseFolder(path) }
            let place = try mapping(.writing, path) { try base.place(of: path) }
            try TreeRemover(path: path, job: job).remove(place)
            job.finish()
        }
    }
}

/// Removes an item and all below it, without ever following a link.
///
/// Nothing is recursive, and only the innermost folders are held open.
struct TreeRemover {
    /// The path of the item, for errors.
    let path: ItemPath
    let job: Job

    /// Indicates whether the tree is our own unfinished work, to be removed whatever its permissions are.
    var isOurs = false

    /// A folder that is being emptied.
    private struct Level {
        let name: RawName
        var below = RawNames()
        /// Something in it stays, since the job went on after an error.
        var isKept = false
        var attempts = 0
    }

    /// Removes our own unfinished work, whatever its permissions are.
    ///
    /// - Parameters:
    ///   - place: Where it is.
    ///   - path: The path of what it would have been, for errors.
    /// - Throws: The error that keeps it from being removed.
    static func removeOurs(_ place: Place, path: ItemPath) throws {
        var remover = TreeRemover(path: path, job: Job())
        remover.isOurs = true
        try remover.remove(place)
    }

    /// Removes the item.
    ///
    /// - Parameter place: Where it is.
    /// - Throws: The first error that the job doesn't go on after; what was not removed yet stays as it is.
    func remove(_ place: Place) throws {
        try job.check()
        var levels: [Level] = []
        do {
            if try removeUnlessFolder(place.folder, place.name) {
                job.advance(by: 1)
                return
            }
            var folders = FolderStack(place.folder, try place.folder.status().identity)
            try enter(place.name, &folders, &levels)
            while !levels.isEmpty { try step(&folders, &levels) }
        } catch let error as Errno {
            throw error.mapped(.writing, path(of: levels, nil))
        }
    }

    /// Goes down into the next folder, or back up out of an empty one.
    private func step(_ folders: inout FolderStack, _ levels: inout [Level]) throws {
        try job.check()
        let index = levels.count - 1
        if let name = levels[index].below.popLast() {
            do {
                try enter(name, &folders, &levels)
            } catch {
                if levels.count > index + 1 { throw error }
                try handle(error, levels, name)
                levels[index].isKept = true
            }
            return
        }
        let level = levels[index]
        if !level.isKept, try !leave(level, &folders, &levels) { return }
        levels.removeLast()
        if level.isKept {
            try folders.pop()
            if let above = levels.indices.last { levels[above].isKept = true }
        } else {
            job.advance(by: 1)
        }
    }

    /// Removes the innermost folder.
    ///
    /// - Returns: `false` if it wasn't empty yet, and was listed again.
    private func leave(_ level: Level, _ folders: inout FolderStack, _ levels: inout [Level]) throws -> Bool {
        let folder = try folders.top
        let identity = try folder.status().identity
        try folders.pop()
        do {
            try folders.top.removeFolder(level.name)
            return true
        } catch {
            let isNotEmpty = error.isAny(of: ENOTEMPTY, EEXIST)
            folders.push(folder, identity)
            if isNotEmpty && level.attempts < 3 {
                // Some file systems skip entries while others are removed, and others may put something in.
                levels[levels.count - 1].attempts += 1
                try empty(folder, &levels)
                return false
            }
            try handle(error, levels, nil)
            levels[levels.count - 1].isKept = true
            return false
        }
    }

    private func enter(_ name: RawName, _ folders: inout FolderStack, _ levels: inout [Level]) throws {
        let folder = try open(name, in: try folders.top)
        folders.push(folder, try folder.status().identity)
        levels.append(Level(name: name))
        try empty(folder, &levels)
    }

    private func open(_ name: RawName, in parent: Descriptor) throws(Errno) -> Descriptor {
        guard isOurs else { return try parent.openFolder(name) }
        // A folder of ours may lack permissions. What can't be changed fails where it is opened, or emptied.
        if (try? parent.openFolder(name)) == nil { try? parent.setPermissions(of: name, 0o700) }
        let folder = try parent.openFolder(name)
        try? folder.setPermissions(0o700)
        return folder
    }

    /// Removes what is in the innermost folder, except folders, which are noted.
    private func empty(_ folder: Descriptor, _ levels: inout [Level]) throws {
        let index = levels.count - 1
        let entries = EntryReader(folder)
        try entries.rewind()
        while let entry = try entries.next() {
            do {
                if try entry.format == S_IFDIR || !removeUnlessFolder(folder, entry.name) {
                    levels[index].below.append(entry.name)
                } else {
                    job.advance(by: 1)
                }
            } catch {
                try handle(error, levels, entry.name)
                levels[index].isKept = true
            }
        }
        try job.check()
    }

    /// - Returns: `false` if it is a folder.
    private func removeUnlessFolder(_ folder: Descriptor, _ name: UnsafePointer<CChar>) throws -> Bool {
        do {
            try folder.unlink(name)
            return true
        } catch let error where error.isAny(of: EISDIR, EPERM) {
            // POSIX has EPERM for a folder; Linux for what may not be removed.
            if try folder.status(of: name).isFolder { return false }
            throw error
        }
    }

    private func handle(_ error: any Error, _ levels: [Level], _ name: UnsafePointer<CChar>?) throws {
        let path = path(of: levels, name)
        let mapped = (error as? Errno)?.mapped(.writing, path) ?? error
        try job.handle(mapped, at: path)
    }

    private func path(of levels: [Level], _ name: UnsafePointer<CChar>?) -> ItemPath {
        path.appending(names: levels.dropFirst().map(\.name) + (name.map { [RawName($0)] } ?? []))
    }
}
