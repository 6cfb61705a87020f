#if os(Linux)
import FerryCore
import Foundation

// Handling what the kernel tells.
extension TreeWatch {
    /// Takes what the kernel has to tell, so that it need not drop anything.
    ///
    /// - Returns: `true` if a folder is among it that should be watched at once.
    @discardableResult
    mutating func drain() -> Bool {
        var isUrgent = false
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            while true {
                let events: [Inotify.Event]
                do throws(Errno) {
                    events = try inotify.read(into: buffer)
                } catch {
                    failure = .system(error)
                    return
                }
                if events.isEmpty { return }
                let now = ContinuousClock.now
                for event in events {
                    if event.has(.overflowed) { failure = .overflow }
                    // Confirmed: nothing is known by that number any longer.
                    if event.has(.ignored), index.folder(watched: event.watch) == nil { continue }
                    if event.isFolder, event.has(.created | .movedHere) { isUrgent = true }
                    pending.append(Pending(event: event, arrived: now))
                }
                if pending.count - next > pendingLimit {
                    pending = []
                    next = 0
                    failure = .overflow
                }
            }
        }
        return isUrgent
    }

    /// Handles what has been taken.
    ///
    /// - Parameter now: The time.
    /// - Returns: When there is something to do even if the kernel tells nothing more; `nil` for never.
    /// - Throws: The failure that ends the watch; ``WatchFailure/overflow`` when it must begin anew.
    mutating func handle(_ now: ContinuousClock.Instant) throws(WatchFailure) -> ContinuousClock.Instant? {
        defer { opened = nil }
        drain()
        var wait = try handleEvents(now)
        if next == pending.count {
            try tellUnmounted()
            try settleDoubtful()
            try listUnlisted()
            // While folders were listed, events were taken that nobody else will speak of.
            if next < pending.count { wait = now }
        }
        wait = earliest(wait, tellHeld(now))
        if !unlisted.isEmpty { wait = earliest(wait, now + Self.patience) }
        if let failure { throw failure }
        if next == pending.count {
            pending.removeAll(keepingCapacity: pending.capacity < 4_096)
            next = 0
            touched = []
            held = held.filter { index.isThere($0.key.folder) }
            unlisted = unlisted.filter { index.isThere($0) }
            index.reuseNumbers()
        } else if next > 4_096 {
            pending.removeFirst(next)
            next = 0
        }
        return wait
    }

    private func earliest(
        _ first: ContinuousClock.Instant?,
        _ second: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        guard let first else { return second }
        return second.map { min(first, $0) } ?? first
    }

    /// - Returns: When to go on, if the other half of a move may come yet.
    private mutating func handleEvents(_ now: ContinuousClock.Instant) throws(WatchFailure) -> ContinuousClock.Instant?
    {
        while next < pending.count {
            let (event, arrived) = (pending[next].event, pending[next].arrived)
            if let failure { throw failure }
            if pending[next].isHandled {
                next += 1
                continue
            }
            guard event.has(.movedAway), !event.name.isEmpty, index.folder(watched: event.watch) != nil else {
                next += 1
                try handle(event)
                continue
            }
            switch otherHalf(of: event) {
            case .found(let index):
                pending[index].isHandled = true
                next += 1
                try handleMove(event, pending[index].event)
            case .none:
                next += 1
                try handleMovedOut(event)
            case .unknown:
                let deadline = arrived + movePatience
                if now < deadline { return deadline }
                next += 1
                try handleMovedOut(event)
            }
        }
        return nil
    }

    private enum OtherHalf {
        case found(Int)
        case none
        case unknown
    }

    /// Looks for where an item has moved to.
    ///
    /// The two halves are not always neighbours, but the kernel holds the folder until it has told both: no other name of
    /// it changes in between.
    private func otherHalf(of event: Inotify.Event) -> OtherHalf {
        for index in (next + 1)..<max(pending.count, next + 1) {
            let other = pending[index].event
            if other.has(.movedHere), other.cookie == event.cookie { return .found(index) }
            if other.watch == event.watch, other.isAboutNames { return .none }
        }
        return .unknown
    }

    private mutating func handle(_ event: Inotify.Event) throws(WatchFailure) {
        guard let folder = index.folder(watched: event.watch) else {
            if above.contains(event.watch) {
                if event.isFolder { try checkTop() }
            } else if event.watch >= 0, !event.has(.ignored) {
                // It was taken out, and something went in again: nobody wants to know.
                inotify.remove(event.watch)
            }
            return
        }
        if event.name.isEmpty { return try handleItself(event, folder) }
        if Self.isHidden(event.name) || isOther(event.name) { return }
        if event.has(.created | .movedHere) {
            try handleAppearance(event, folder)
        } else if event.has(.removed) {
            try handleRemoval(event, folder)
        } else if event.has(.attributes) {
            try handleAttributes(event, folder)
        } else if event.has(.modified | .closed) {
            handleContent(event, folder)
        }
    }

    /// Returns whether only one file is watched, and this is another.
    func isOther(_ name: FolderIndex.Name) -> Bool { file.map { $0 != name } ?? false }

    // MARK: - A watched folder itself

    private mutating func handleItself(_ event: Inotify.Event, _ folder: FolderIndex.ID) throws(WatchFailure) {
        let isTop = folder == FolderIndex.root
        if event.has(.unmounted) {
            if isTop { throw .unmounted }
            unmounted.insert(folder)
        } else if event.has(.ignored) {
            if isTop { throw isUnmounted ? .unmounted : .gone }
            // It is gone, and its name was not told of as gone: perhaps another one has it.
            index.setWatch(-1, of: folder)
            if let parent = index.parent(of: folder) { doubtful.append((index.name(of: folder), parent)) }
        } else if isTop, event.has(.removedItself) {
            throw isUnmounted ? .unmounted : .gone
        } else if isTop, event.has(.movedItself) {
            try checkTop()
        } else if isTop, event.has(.attributes), file == nil {
            note(.attributes, top, isFile: false)
        }
    }

    /// Says where file systems are no longer mounted: what is seen there now is something else, and was not removed.
    private mutating func tellUnmounted() throws(WatchFailure) {
        let folders = unmounted.filter { index.isThere($0) }
        unmounted = []
        for folder in folders where !folders.contains(where: { $0 != folder && index.isOrIsBelow(folder, $0) }) {
            guard index.isThere(folder), let parent = index.parent(of: folder) else { continue }
            try refresh([(index.name(of: folder), parent)])
        }
    }

    /// Forgets what is known at some names, looks at the disk, and has others do the same.
    mutating func refresh(_ places: [(name: FolderIndex.Name, folder: FolderIndex.ID)]) throws(WatchFailure) {
        isMuted = true
        defer { isMuted = false }
        for place in places {
            if let known = index.folder(place.name, in: place.folder) { unwatch(index.remove(known)) }
            removeFile(place.name, in: place.folder)
        }
        for place in places where index.isThere(place.folder) { try settle(place.name, in: place.folder) }
        isMuted = false
        for place in places where index.isThere(place.folder) {
            note(.rescan, path(place.name, in: place.folder), isFile: false)
        }
    }

    // MARK: - Names

    private mutating func handleAppearance(_ event: Inotify.Event, _ folder: FolderIndex.ID) throws(WatchFailure) {
        if event.isFolder || index.folder(event.name, in: folder) != nil { return try settle(event.name, in: folder) }
        if index.insert(file: event.name, in: folder) {
            note(.created, path(event.name, in: folder), isFile: true)
        } else if event.has(.movedHere) {
            // From outside, over one that was there.
            note(.modified, path(event.name, in: folder), isFile: true)
        }
    }

    private mutating func handleRemoval(_ event: Inotify.Event, _ folder: FolderIndex.ID) throws(WatchFailure) {
        if file != nil { return try handleEndOfFile() }
        if event.isFolder {
            if let known = index.folder(event.name, in: folder) { remove(known) }
        } else {
            removeFile(event.name, in: folder)
        }
    }

    /// The watched file lost its name: programs that save safely give it to another at once.
    mutating func handleEndOfFile() throws(WatchFailure) {
        guard let file, case .other = try look(at: raw(file), in: try openedTop()) else { throw .gone }
        note(.modified, top, isFile: true)
    }

    private mutating func handleMovedOut(_ event: Inotify.Event) throws(WatchFailure) {
        guard let folder = index.folder(watched: event.watch) else { return }
        if Self.isHidden(event.name) || isOther(event.name) { return }
        try handleRemoval(event, folder)
    }

    /// Looks at names where another folder may be than the one that is known.
    private mutating func settleDoubtful() throws(WatchFailure) {
        while let (name, folder) = doubtful.popLast() {
            if index.isThere(folder) { try settle(name, in: folder) }
        }
    }

    /// Lists folders that were somewhere else when they were to be listed.
    private mutating func listUnlisted() throws(WatchFailure) {
        if unlisted.isEmpty || next < pending.count { return failedListings = 0 }
        let folders = unlisted
        unlisted = []
        toList += folders.filter { index.isThere($0) }.map { ($0, nil) }
        try listAll()
        // Nothing more was told, and it is not there: the one way to know is to look at everything.
        failedListings = unlisted.isEmpty ? 0 : failedListings + 1
        if failedListings > 50 { throw .overflow }
    }

    // MARK: - Contents and attributes

    private mutating func handleAttributes(_ event: Inotify.Event, _ folder: FolderIndex.ID) throws(WatchFailure) {
        if event.isFolder {
            guard let known = index.folder(event.name, in: folder) else { return }
            note(.attributes, path(of: known), isFile: false)
            if index.watch(of: known) >= 0 { return }
            // Perhaps it can be read now: what is in it was never told.
            isMuted = true
            defer { isMuted = false }
            try settle(event.name, in: folder)
            isMuted = false
            if index.isThere(known), index.watch(of: known) >= 0 { note(.rescan, path(of: known), isFile: false) }
        } else if index.hasFile(event.name, in: folder) {
            touched.insert(HeldFile(folder: folder, name: event.name))
            note(.attributes, path(event.name, in: folder), isFile: true)
        }
    }

    private mutating func handleContent(_ event: Inotify.Event, _ folder: FolderIndex.ID) {
        guard index.hasFile(event.name, in: folder) else { return }
        let file = HeldFile(folder: folder, name: event.name)
        if event.has(.modified) {
            if held[file] == nil { held[file] = ContinuousClock.now + Self.writingInterval }
        } else if held.removeValue(forKey: file) != nil || wasMapped(file) {
            note(.modified, path(event.name, in: folder), isFile: true)
        }
    }

    /// Returns whether a file that was closed may have been written to through memory, of which the kernel tells
    /// nothing.
    private mutating func wasMapped(_ file: HeldFile) -> Bool {
        if touched.contains(file) { return false }
        guard let folder = try? open(file.folder), let status = try? folder.statusIfExists(of: raw(file.name))
        else { return false }
        return Date.now.timeIntervalSince(Date(status.modified)) < 60
    }

    /// Tells of files that are still being written.
    ///
    /// - Returns: When to tell of the next.
    private mutating func tellHeld(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        for (file, deadline) in held where deadline <= now {
            held[file] = nil
            if index.isThere(file.folder), index.hasFile(file.name, in: file.folder) {
                note(.modified, path(file.name, in: file.folder), isFile: true)
            }
        }
        return held.values.min()
    }
}
#endif
