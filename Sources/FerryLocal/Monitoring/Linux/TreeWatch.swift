#if os(Linux)
import FerryCore
import Foundation

/// A folder with all below it, as far as the kernel has told what became of it.
///
/// The known tree and the reported changes always agree: whoever applies the changes to what was there when
/// the watch began has the tree of the index. Events only say where to look: between an event and its handling anything
/// may have happened, and then later events say so. So it holds that
///
/// - a folder is watched before it is listed, by its descriptor, and what both the list and an event tell of is told once;
/// - a folder is the one that the kernel tells of under its number, not the one that had its name;
/// - what is known comes from the disk or from an event about just that name, and the last event of a name is right.
struct TreeWatch {
    /// An event that is not handled yet.
    struct Pending {
        let event: Inotify.Event
        let arrived: ContinuousClock.Instant
        /// Indicates whether it was handled, before others that came first.
        var isHandled = false
    }

    /// A file that was written to, and perhaps still is.
    struct HeldFile: Hashable {
        let folder: FolderIndex.ID
        let name: FolderIndex.Name
    }

    /// The usual time for which the other half of a move is waited for.
    static let patience = Duration.milliseconds(100)

    /// How often a file that is being written is told of.
    static let writingInterval = Duration.milliseconds(200)

    /// Folders that are listed between two looks at the events.
    static let drainInterval = 32

    /// Tries to list the whole tree while things happen faster than that.
    static let mostRebuilds = 10

    let base: BaseFolder
    /// The watched item, as changes name it.
    let top: ItemPath
    /// Events that are kept until they are handled, at most.
    let pendingLimit: Int
    /// The time for which this watch waits for the other half of a move.
    let movePatience: Duration

    /// The name of the watched item, if that is no folder: then its folder is the tree's top.
    var file: FolderIndex.Name?
    var inotify: Inotify
    var index = FolderIndex()
    /// The folders between the base and the tree.
    var above: Set<Int32> = []
    var identity: FileIdentity?
    var isOnKnownMount = false
    var opensByKernel = false
    /// The top, open while something is done.
    var opened: Descriptor?

    /// Why events could not be taken, or were dropped.
    var failure: WatchFailure?
    var pending: [Pending] = []
    /// Where the next one to handle is.
    var next = 0
    var held: [HeldFile: ContinuousClock.Instant] = [:]
    /// Files of which this batch has told already that something but the content has changed.
    var touched: Set<HeldFile> = []
    /// Watched folders that are to be listed, those that are open with their descriptors.
    var toList: [(id: FolderIndex.ID, folder: Descriptor?)] = []
    /// Folders that could not be listed, since they were somewhere else by then.
    var unlisted: Set<FolderIndex.ID> = []
    var failedListings = 0
    /// Names that are to be looked at when all events are handled: what is known there may be another folder.
    var doubtful: [(name: FolderIndex.Name, folder: FolderIndex.ID)] = []
    var unmounted: Set<FolderIndex.ID> = []

    /// The changes to be reported.
    var notes: [NotedChange] = []
    /// Indicates whether nothing is to be told now.
    var isMuted = false

    /// Prepares a watch.
    ///
    /// - Parameters:
    ///   - top: The item to watch.
    ///   - base: Where its path begins.
    ///   - pendingLimit: Events that are kept until they are handled, at most.
    ///   - movePatience: The time for which the other half of a move is waited for.
    /// - Throws: ``WatchFailure/tooManyInstances``.
    init(
        _ top: ItemPath,
        in base: BaseFolder,
        pendingLimit: Int = 1 << 17,
        movePatience: Duration = Self.patience
    ) throws(WatchFailure) {
        self.top = top
        self.base = base
        self.pendingLimit = pendingLimit
        self.movePatience = movePatience
        inotify = try Self.newList()
    }

    private static func newList() throws(WatchFailure) -> Inotify {
        do {
            return try Inotify()
        } catch {
            throw error.isAny(of: EMFILE, ENFILE) ? .tooManyInstances : .system(error)
        }
    }

    /// Watches everything; events that come meanwhile wait.
    ///
    /// - Throws: The error that keeps the top from being watched; ``WatchFailure/tooManyWatches``.
    mutating func begin() throws(WatchFailure) {
        let folder = try openTop()
        defer { opened = nil }
        opensByKernel = folder.canOpenBeneath
        do {
            let identity = try folder.status().identity
            self.identity = identity
            isOnKnownMount = fileSystemType(of: identity.device) != nil
        } catch {
            throw .system(error)
        }
        opened = folder
        index.setWatch(try watch(folder), of: FolderIndex.root)
        try watchAbove(folder)
        isMuted = true
        defer { isMuted = false }
        if let file {
            // It exists, or did a moment ago.
            if (try? folder.statusIfExists(of: raw(file))) != nil { _ = index.insert(file: file, in: FolderIndex.root) }
        } else {
            toList.append((FolderIndex.root, folder))
            try listAll()
        }
        drain()
        if let failure { throw failure }
        index.trim()
    }

    /// Begins anew, after events were lost, and says so.
    mutating func rebuild() throws(WatchFailure) {
        var attempts = 0
        while true {
            do {
                inotify = try Self.newList()
                index = FolderIndex()
                forgetEvents()
                try begin()
                break
            } catch {
                attempts += 1
                guard case .overflow = error, attempts < Self.mostRebuilds else { throw error }
            }
        }
        // Only now: whoever looks again sees what happened until here, and is told what happens from here on.
        notes.append(NotedChange(FileChange(.rescan, path: top)))
    }

    private mutating func forgetEvents() {
        failure = nil
        pending = []
        next = 0
        held = [:]
        touched = []
        toList = []
        unlisted = []
        doubtful = []
        unmounted = []
        above = []
        opened = nil
    }

    /// The bytes that are in use for what is known of the tree.
    var footprint: Int { index.footprint }
}

// MARK: - The top

extension TreeWatch {
    /// Opens the watched folder, or that of the watched file.
    private mutating func openTop() throws(WatchFailure) -> Descriptor {
        do {
            let folder = try base.open(top, O_RDONLY | O_DIRECTORY)
            file = nil
            return folder
        } catch let error where error.code == ENOTDIR {
            return try openFolderOfFile()
        } catch {
            throw error.isAny(of: ENOENT) ? .gone : error.isAny(of: EMFILE, ENFILE) ? .tooManyInstances : .system(error)
        }
    }

    private mutating func openFolderOfFile() throws(WatchFailure) -> Descriptor {
        do {
            let place = try base.place(of: top)
            _ = try place.status()
            file = place.name.dropLast().map { UInt8(bitPattern: $0) }[...]
            return try place.folder.openFolder(".")
        } catch {
            throw error.isAny(of: ENOENT, ENOTDIR) ? .gone : .system(error)
        }
    }

    /// The top, open; it must be the one that the watch began with.
    mutating func openedTop() throws(WatchFailure) -> Descriptor {
        if let opened { return opened }
        do throws(Errno) {
            let folder: Descriptor
            if file == nil {
                folder = try base.open(top, O_RDONLY | O_DIRECTORY)
            } else {
                folder = try base.place(of: top).folder.openFolder(".")
            }
            guard try folder.status().identity == identity else { throw Errno(ENOENT) }
            opened = folder
            return folder
        } catch let error where error.isAny(of: EMFILE, ENFILE) {
            throw .tooManyInstances
        } catch let error where error.isAny(of: EACCES, EPERM, EIO, ESTALE, ENOMEM) {
            throw .system(error)
        } catch {
            throw isUnmounted ? .unmounted : .gone
        }
    }

    /// Looks whether the path leads to what is watched.
    mutating func checkTop() throws(WatchFailure) {
        opened = nil
        _ = try openedTop()
    }

    /// Indicates whether the top's file system is no longer there: that says nothing about its files.
    var isUnmounted: Bool {
        guard isOnKnownMount, let identity else { return false }
        return fileSystemType(of: identity.device) == nil
    }

    /// Watches the folders from that of the top up to that of the base, in which only matters whether the next one down
    /// is still there: the path leads elsewhere else.
    ///
    /// A removed folder doesn't say so itself as long as somebody has it open. Of the base, which is known by its
    /// descriptor, a new name doesn't matter.
    private mutating func watchAbove(_ top: Descriptor) throws(WatchFailure) {
        guard let base = try? base.folder().status().identity else { return }
        var folder = top
        while let known = try? folder.status().identity, let parent = try? folder.above(pathOnly: true),
            let identity = try? parent.status().identity, identity != known
        {
            let isBase = known == base
            do throws(WatchFailure) {
                above.insert(try watch(parent, (isBase ? .removed : .removed | .movedAway) | UInt32(IN_ONLYDIR)))
            } catch {
                // Whoever may not list a folder can still have one in it.
                guard case .system = error else { throw error }
            }
            if isBase { return }
            folder = parent
        }
    }
}

// MARK: - Telling

extension TreeWatch {
    /// The path of an item of a folder, as changes tell it.
    func path(_ name: FolderIndex.Name, in folder: FolderIndex.ID) -> ItemPath {
        if file != nil { return top }
        var bytes = index.path(of: folder)
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "/")) }
        return itemPath(bytes + name)
    }

    /// The path of a folder, as changes tell it.
    func path(of folder: FolderIndex.ID) -> ItemPath { itemPath(index.path(of: folder)) }

    private func itemPath(_ bytes: [UInt8]) -> ItemPath {
        if bytes.isEmpty { return top }
        let components = bytes.split(separator: UInt8(ascii: "/"))
            .map { NameEscape.component(ofName: String(nameBytes: $0)) }
        return top.appending(component: components.joined(separator: "/"))
    }

    /// Notes a change that is to be told.
    mutating func note(_ kind: FileChange.Kind, _ path: ItemPath, isFile: Bool, replaces: Bool = false) {
        if isMuted { return }
        notes.append(NotedChange(FileChange(kind, path: path), isFile: isFile, replaces: replaces))
    }

    /// Takes what is to be told.
    mutating func takeNotes() -> [NotedChange] {
        defer { notes = [] }
        return notes
    }

    /// A name for the system.
    func raw(_ name: FolderIndex.Name) -> RawName { name.map { CChar(bitPattern: $0) } + [0] }

    /// Returns whether a name is that of something of ours that is not complete yet.
    static func isHidden(_ name: FolderIndex.Name) -> Bool {
        TemporaryName.lengths.contains(name.count) && name.first == UInt8(ascii: ".")
            && TemporaryName.isOne(String(decoding: name, as: UTF8.self))
    }
}
#endif
