#if os(Linux)
import FerryCore
import Foundation

// Items that get another name.
extension TreeWatch {
    /// A name in a folder.
    private struct Spot {
        let folder: FolderIndex.ID
        let name: FolderIndex.Name
    }

    /// Handles the two halves of a move.
    mutating func handleMove(_ source: Inotify.Event, _ target: Inotify.Event) throws(WatchFailure) {
        let from = index.folder(watched: source.watch).map { Spot(folder: $0, name: source.name) }
        let to = index.folder(watched: target.watch).map { Spot(folder: $0, name: target.name) }
        if let file { return try handleMove(ofOnly: file, source, target) }
        if let from, let to, try handleExchange(from, to, target) { return }
        guard let to, !Self.isHidden(to.name) else {
            guard let from else { return }
            if let known = source.isFolder ? index.folder(from.name, in: from.folder) : nil { remove(known) }
            if !source.isFolder { removeFile(from.name, in: from.folder) }
            return
        }
        if source.isFolder {
            try moveFolder(from, to)
        } else {
            moveFile(from, to)
        }
    }

    /// The watched file got another name, or another file got its name.
    private mutating func handleMove(
        ofOnly file: FolderIndex.Name,
        _ source: Inotify.Event,
        _ target: Inotify.Event
    ) throws(WatchFailure) {
        if target.name == file {
            note(.modified, top, isFile: true)
        } else if source.name == file {
            try handleEndOfFile()
        }
    }

    private mutating func moveFile(_ from: Spot?, _ to: Spot) {
        let wasKnown = from.map { index.remove(file: $0.name, in: $0.folder) } ?? false
        if let folder = index.folder(to.name, in: to.folder) { remove(folder) }
        let replaces = !index.insert(file: to.name, in: to.folder)
        held[HeldFile(folder: to.folder, name: to.name)] = nil
        let path = path(to.name, in: to.folder)
        guard let from, wasKnown else { return note(replaces ? .modified : .created, path, isFile: true) }
        let previous = self.path(from.name, in: from.folder)
        if held.removeValue(forKey: HeldFile(folder: from.folder, name: from.name)) != nil {
            note(.modified, previous, isFile: true)
        }
        note(.moved(from: previous), path, isFile: true, replaces: replaces)
    }

    private mutating func moveFolder(_ from: Spot?, _ to: Spot) throws(WatchFailure) {
        guard let from, let moved = index.folder(from.name, in: from.folder) else {
            return try settle(to.name, in: to.folder)
        }
        if index.isOrIsBelow(to.folder, moved) {
            // The folder that had the name then is not the one that has it now.
            remove(moved)
            return try settle(from.name, in: from.folder)
        }
        guard let folder = try open(to.folder), case .folder(let found) = try look(at: raw(to.name), in: folder) else {
            // It has moved on, of which events tell.
            doubtful.append((to.name, to.folder))
            return relocate(moved, to: to.folder, to.name)
        }
        let watch = try watch(found)
        let known = index.folder(watched: watch)
        if known == moved {
            relocate(moved, to: to.folder, to.name)
        } else if known == nil, index.watch(of: moved) < 0 {
            // It could not be listed where it was.
            relocate(moved, to: to.folder, to.name)
            index.setWatch(watch, of: moved)
            toList.append((moved, found))
            try listAll()
        } else if known == nil {
            // Another one has come there since, of which events will tell; or it was another one that moved.
            inotify.remove(watch)
            relocate(moved, to: to.folder, to.name)
            doubtful += [(to.name, to.folder), (from.name, from.folder)]
        } else if known == index.folder(to.name, in: to.folder) {
            // That was known already, and what is at the old name now is another one.
            doubtful.append((from.name, from.folder))
        } else {
            remove(moved)
            try settle(to.name, in: to.folder)
            if index.isThere(from.folder) { try settle(from.name, in: from.folder) }
        }
    }

    /// Gives a folder another place in what is known, in the place of what is there.
    mutating func relocate(_ folder: FolderIndex.ID, to parent: FolderIndex.ID, _ name: FolderIndex.Name) {
        let previous = path(of: folder)
        let old = index.folder(name, in: parent)
        if old == folder { return }
        if let old { unwatch(index.remove(old)) }
        let replaces = index.remove(file: name, in: parent) || old != nil
        index.move(folder, to: parent, name)
        note(.moved(from: previous), path(of: folder), isFile: false, replaces: replaces)
    }

    /// Handles two items that took each other's names, which the kernel tells as two moves.
    ///
    /// - Returns: `true` if the events are such an exchange.
    private mutating func handleExchange(
        _ from: Spot,
        _ to: Spot,
        _ target: Inotify.Event
    ) throws(WatchFailure) -> Bool {
        // The other half of this one is behind it, and handled.
        let start = next < pending.count && pending[next].isHandled ? next + 1 : next
        guard start + 1 < pending.count, isKnown(to) else { return false }
        let (back, there) = (pending[start].event, pending[start + 1].event)
        guard back.has(.movedAway), there.has(.movedHere), back.cookie == there.cookie,
            back.watch == target.watch, back.name == to.name,
            index.folder(watched: there.watch) == from.folder, there.name == from.name,
            // A move there and back leaves one of them.
            try isOnDisk(from), try isOnDisk(to)
        else { return false }
        next = start + 2
        try refresh([(from.name, from.folder), (to.name, to.folder)])
        return true
    }

    private func isKnown(_ spot: Spot) -> Bool {
        index.hasFile(spot.name, in: spot.folder) || index.folder(spot.name, in: spot.folder) != nil
    }

    private mutating func isOnDisk(_ spot: Spot) throws(WatchFailure) -> Bool {
        guard let folder = try open(spot.folder) else { return false }
        if case .nothing = try look(at: raw(spot.name), in: folder) { return false }
        return true
    }
}
#endif
