#if os(Linux)
import CFerryLinux
import FerryCore
import Foundation

// Looking at folders on the disk.
extension TreeWatch {
    /// The item at a name.
    enum Look {
        case folder(Descriptor)
        /// A folder that can't be listed: what is in it nobody is told.
        case unreadable
        /// A file, a link or the like.
        case other
        case nothing
    }

    /// Looks at a name of an open folder.
    func look(at name: RawName, in folder: Descriptor) throws(WatchFailure) -> Look {
        do {
            return .folder(try folder.openFolder(name))
        } catch let error where error.isAny(of: ENOENT, ENAMETOOLONG) {
            return .nothing
        } catch let error where error.isAny(of: ENOTDIR, ELOOP) {
            return .other
        } catch let error where error.isAny(of: EMFILE, ENFILE) {
            throw .tooManyInstances
        } catch {
            guard let status = try? folder.statusIfExists(of: name) else { return .nothing }
            return status.isFolder ? .unreadable : .other
        }
    }

    /// Watches an open folder.
    func watch(_ folder: Descriptor, _ mask: UInt32 = .everything) throws(WatchFailure) -> Int32 {
        do {
            return try inotify.add(folder, mask)
        } catch {
            throw WatchFailure(error)
        }
    }

    /// Opens a folder of the tree, if it is where it was last known to be.
    mutating func open(_ id: FolderIndex.ID) throws(WatchFailure) -> Descriptor? {
        let top = try openedTop()
        if id == FolderIndex.root { return top }
        let folder: Descriptor
        do {
            folder = try top.openFolder(below: index.path(of: id), byKernel: opensByKernel)
        } catch let error where error.isAny(of: EMFILE, ENFILE) {
            throw .tooManyInstances
        } catch {
            return nil
        }
        // Another one may have its name.
        let known = index.watch(of: id)
        if known < 0 { return folder }
        return try watch(folder) == known ? folder : nil
    }

    /// Makes what is known agree with the disk at a name, and below it.
    mutating func settle(_ name: FolderIndex.Name, in parent: FolderIndex.ID) throws(WatchFailure) {
        guard let folder = try open(parent) else {
            // It is somewhere else by now: events will say where, and then it is listed.
            unlisted.insert(parent)
            return
        }
        switch try look(at: raw(name), in: folder) {
        case .folder(let found):
            try place(found, name, in: parent)
        case .unreadable:
            placeUnreadable(name, in: parent)
        case .other:
            if let known = index.folder(name, in: parent) { remove(known) }
            if index.insert(file: name, in: parent) { note(.created, path(name, in: parent), isFile: true) }
        case .nothing:
            if let known = index.folder(name, in: parent) { remove(known) }
            removeFile(name, in: parent)
        }
        try listAll()
    }

    /// Takes in a folder that is on the disk at a name; it is watched from now on, and to be listed if it is new.
    mutating func place(
        _ folder: Descriptor,
        _ name: FolderIndex.Name,
        in parent: FolderIndex.ID
    ) throws(WatchFailure) {
        let watch: Int32
        do throws(WatchFailure) {
            watch = try self.watch(folder)
        } catch {
            guard case .system(let error) = error, error.isAny(of: EACCES, EPERM) else { throw error }
            return placeUnreadable(name, in: parent)
        }
        let known = index.folder(watched: watch)
        if let here = index.folder(name, in: parent) {
            if here == known { return }
            if index.watch(of: here) < 0, known == nil {
                // It could not be listed so far.
                index.setWatch(watch, of: here)
                toList.append((here, folder))
                return
            }
            if let known, index.watch(of: here) < 0, try isStillThere(known, folder) { return }
            remove(here)
        }
        removeFile(name, in: parent)
        if let known, index.isThere(known) {
            var isElsewhere = index.isOrIsBelow(parent, known)
            if !isElsewhere { isElsewhere = try isStillThere(known, folder) }
            if isElsewhere {
                // A folder that the system shows at two places is watched at one.
                _ = index.insert(folder: name, in: parent)
                return note(.created, path(name, in: parent), isFile: false)
            }
            if let previous = index.parent(of: known) { doubtful.append((index.name(of: known), previous)) }
            return relocate(known, to: parent, name)
        }
        let id = index.insert(folder: name, in: parent)
        index.setWatch(watch, of: id)
        note(.created, path(name, in: parent), isFile: false)
        toList.append((id, folder))
    }

    /// Takes in a folder that can't be listed.
    private mutating func placeUnreadable(_ name: FolderIndex.Name, in parent: FolderIndex.ID) {
        if index.folder(name, in: parent) != nil { return }
        removeFile(name, in: parent)
        _ = index.insert(folder: name, in: parent)
        note(.created, path(name, in: parent), isFile: false)
    }

    /// Returns whether a folder is also where it was known to be.
    private mutating func isStillThere(_ id: FolderIndex.ID, _ folder: Descriptor) throws(WatchFailure) -> Bool {
        let top = try openedTop()
        if id == FolderIndex.root { return true }
        guard let other = try? top.openFolder(below: index.path(of: id), byKernel: opensByKernel),
            let identity = try? other.status().identity
        else { return false }
        return identity == (try? folder.status().identity)
    }

    /// Lists the folders that are to be listed, and those below.
    mutating func listAll() throws(WatchFailure) {
        var count = 0
        while let (id, folder) = toList.popLast() {
            guard index.isThere(id) else { continue }
            var reached = folder
            if reached == nil { reached = try open(id) }
            guard let reached else {
                unlisted.insert(id)
                continue
            }
            try list(id, reached)
            count += 1
            if count % Self.drainInterval == 0 {
                drain()
                if let failure { throw failure }
            }
        }
    }

    private mutating func list(_ id: FolderIndex.ID, _ folder: Descriptor) throws(WatchFailure) {
        unlisted.remove(id)
        do {
            let entries = EntryReader(folder)
            while let entry = try entries.next() {
                let name = RawName(entry.name)
                let bytes = name.dropLast().map { UInt8(bitPattern: $0) }[...]
                if Self.isHidden(bytes) { continue }
                try take(in: id, folder, name, bytes, entry.format)
            }
        } catch let error as Errno {
            // It was removed meanwhile, or its disk is broken: no more is known of it than of one that can't be read.
            if error.isAny(of: EMFILE, ENFILE) { throw .tooManyInstances }
        } catch let error as WatchFailure {
            throw error
        } catch {
            return
        }
    }

    private mutating func take(
        in id: FolderIndex.ID,
        _ folder: Descriptor,
        _ name: RawName,
        _ bytes: FolderIndex.Name,
        _ format: mode_t
    ) throws(WatchFailure) {
        if format == S_IFDIR || format == 0 {
            switch try look(at: name, in: folder) {
            case .folder(let found):
                try place(found, bytes, in: id)
                keepFewOpen()
                return
            case .unreadable: return placeUnreadable(bytes, in: id)
            case .nothing: return
            case .other: break
            }
        }
        // A folder of that name is newer, or older: an event will say so.
        if index.folder(bytes, in: id) == nil, index.insert(file: bytes, in: id) {
            note(.created, path(bytes, in: id), isFile: true)
        }
    }

    /// A folder may hold thousands of folders: only some are kept open until they are listed.
    private mutating func keepFewOpen() {
        let oldest = toList.count - 64
        if oldest >= 0 { toList[oldest].folder = nil }
    }

    // MARK: - Taking out

    /// Takes out a folder with all below it, and says that it is gone.
    mutating func remove(_ id: FolderIndex.ID) {
        note(.removed, path(of: id), isFile: false)
        unwatch(index.remove(id))
    }

    /// Takes out a file, if there is one, and says that it is gone.
    mutating func removeFile(_ name: FolderIndex.Name, in folder: FolderIndex.ID) {
        guard index.remove(file: name, in: folder) else { return }
        held[HeldFile(folder: folder, name: name)] = nil
        note(.removed, path(name, in: folder), isFile: true)
    }

    /// Ends watches, each of which the kernel confirms by an event.
    mutating func unwatch(_ watches: [Int32]) {
        for (number, watch) in watches.enumerated() {
            inotify.remove(watch)
            if number % 1_000 == 999 { drain() }
        }
    }
}

extension Descriptor {
    /// Opens a folder below this one to be listed; none of the names may be a link's.
    ///
    /// - Parameters:
    ///   - path: Names with slashes between them.
    ///   - byKernel: `true` if the kernel can do that at once.
    /// - Returns: The folder.
    /// - Throws: `ELOOP` for a link, and what else the system says.
    func openFolder(below path: [UInt8], byKernel: Bool) throws(Errno) -> Descriptor {
        if byKernel, path.count < Int(PATH_MAX) {
            return try openBeneath(
                RawPath(relative: path).withNUL,
                O_RDONLY | O_DIRECTORY,
                resolving: ferry_RESOLVE_NO_SYMLINKS
            )
        }
        var folder = self
        let names = path.split(separator: UInt8(ascii: "/")).map { $0.map { CChar(bitPattern: $0) } + [0] }
        for name in names.dropLast() { folder = try folder.open(name, openPathOnly | O_DIRECTORY) }
        return try folder.openFolder(names.last ?? [CChar(UInt8(ascii: ".")), 0])
    }
}
#endif
