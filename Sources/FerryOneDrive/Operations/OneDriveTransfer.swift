import FerryCore
import FerryHTTP
import Foundation
import Synchronization

/// A move or a copy inside the service.
///
/// The service itself never replaces an item at the target: a file that is to be replaced is renamed first, and gets its
/// name back if the move or copy fails. A folder that is put onto a folder is merged item by item.
struct OneDriveTransfer: Sendable {
    /// The fate of the source.
    enum Kind: Sendable {
        /// It is gone from where it was.
        case move
        /// It stays.
        case copy
    }

    /// An item that is moved or copied.
    struct Source: Sendable {
        /// Its description.
        let item: GraphItem
        /// Its place.
        let place: OneDrivePlace
        /// Its path, each name as the service spells it.
        let path: ItemPath

        var isFolder: Bool { item.kind == .directory }

        /// Its identifier, by which it can be removed.
        var id: OneDriveItemID { OneDriveItemID(drive: place.foreignDriveID, item: item.id) }
    }

    let provider: OneDriveFileProvider
    let kind: Kind
    let progress: Progress?

    /// Moves or copies an item.
    ///
    /// - Parameters:
    ///   - path: The item; an `id:` path leads to it too.
    ///   - target: Its new path.
    ///   - overwrite: A Boolean value that indicates whether a file there may be replaced, or a folder merged into.
    /// - Throws: See the rules of `FileProviderOperations`.
    func perform(_ path: ItemPath, to target: ItemPath, overwrite: Bool) async throws {
        let source = try await source(at: path)
        if try await !isOnto(source, target) { return try await respell(source, as: target) }
        guard overwrite, let existing = try await existing(at: target) else {
            _ = try await put(source, to: target, .fail)
            return
        }
        try await replace(existing, with: source, at: target)
    }

    /// Moves or copies an item under a name that is free.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, as far as the name is free.
    /// - Returns: The item at its new path.
    /// - Throws: See the rules of `FileProviderOperations`.
    func performKeepingBoth(_ path: ItemPath, at target: ItemPath) async throws -> FileObject {
        let source = try await source(at: path)
        if kind == .copy, OneDriveName.key(source.path) == OneDriveName.key(target) {
            return try await put(source, to: target, .rename)
        }
        if try await !isOnto(source, target) {
            guard source.path != target else { throw CocoaError.sameItem(target) }
            return try await put(source, to: target, .fail)
        }
        return try await put(source, to: target, .rename)
    }

    private func source(at path: ItemPath) async throws -> Source {
        let (item, place) = try await provider.graphItem(at: path)
        let file = try provider.fileObject(item, at: path, foreignDriveID: place.foreignDriveID)
        return Source(item: item, place: place, path: file.path)
    }

    private func existing(at path: ItemPath) async throws -> Source? {
        do {
            return try await source(at: path)
        } catch let error where error.isNoSuchItem {
            return nil
        }
    }

    /// Refuses what can't be; returns `false` for another spelling of the item's own path.
    private func isOnto(_ source: Source, _ target: ItemPath) async throws -> Bool {
        if source.path == target { throw CocoaError.sameItem(target) }
        let (sourceKey, targetKey) = (OneDriveName.key(source.path), OneDriveName.key(target))
        if sourceKey == targetKey { return false }
        if source.isFolder, targetKey.isBelow(sourceKey) { throw CocoaError.intoItself(source.path, target: target) }
        return true
    }

    // MARK: Onto something

    private func replace(_ existing: Source, with source: Source, at target: ItemPath) async throws {
        guard !isSame(existing, source) else { throw CocoaError.sameItem(target) }
        let isAbove = OneDriveName.key(source.path).isBelow(OneDriveName.key(target))
        guard existing.item.kind == source.item.kind, !isAbove || !source.isFolder else {
            throw CocoaError.itemExists(target)
        }
        guard source.isFolder else { return try await replaceFile(existing, with: source) }
        if let clash = try await firstClash(source.path, target) { throw CocoaError.itemExists(clash) }
        try await merge(source, into: existing.path)
    }

    /// Returns whether two paths, perhaps by shortcuts, lead to one item.
    private func isSame(_ first: Source, _ second: Source) -> Bool {
        let own = provider.drive.withLock { $0.id }
        let (one, other) = (Self.identity(first, own), Self.identity(second, own))
        guard one.item.lowercased() == other.item.lowercased() else { return false }
        // In doubt nothing is removed.
        guard let drive = one.drive, let otherDrive = other.drive else { return true }
        return drive.lowercased() == otherDrive.lowercased()
    }

    private static func identity(_ source: Source, _ ownDrive: String?) -> OneDriveItemID {
        let drive = source.place.foreignDriveID ?? source.item.parentReference?.driveID ?? ownDrive
        return source.item.shortcutTarget ?? OneDriveItemID(drive: drive, item: source.item.id)
    }

    /// Puts a file out of the way and another in its place; not even a cancellation comes in between.
    private func replaceFile(_ existing: Source, with source: Source) async throws {
        try Task.checkCancellation()
        guard !isSame(existing, source) else { throw CocoaError.sameItem(existing.path) }
        let target = existing.path
        let aside = Self.temporary(beside: target)
        // A copy is made beside first: as long as it takes, the old file stays.
        let isCopied = kind == .copy ? true : try await isElsewhere(source, than: target.parent)
        let ready =
            isCopied
            ? try await provider.copy(source, to: Self.temporary(beside: target), .fail, progress) : nil
        try await uncancelled { [provider] in
            do {
                _ = try await provider.relocate(existing.item, at: existing.place, from: target, to: aside)
                do {
                    let item = try await ready.asyncMap { try await self.source(at: $0.path) } ?? source
                    _ = try await provider.relocate(item.item, at: item.place, from: item.path, to: target)
                } catch {
                    try await self.bringBack(existing, from: aside, after: error)
                    throw error
                }
            } catch {
                // The copy is ours; that it stays is no reason to hide the failure.
                if let id = ready?.id { try? await provider.remove(OneDriveItemID(id), about: target) }
                throw error
            }
            try await provider.remove(existing.id, about: aside)
            if kind == .move, isCopied { try await self.removeCopied(source) }
        }
        if !isCopied { progress?.completedUnitCount += 1 }
    }

    private func bringBack(_ existing: Source, from aside: ItemPath, after error: any Error) async throws {
        do {
            _ = try await provider.relocate(existing.item, at: existing.place, from: aside, to: existing.path)
        } catch _ {
            throw CocoaError.file(
                .fileWriteUnknown,
                path: existing.path,
                description: "could not be replaced, and its old content is now called '\(aside.lastName)'",
                suggestion: "rename it",
                underlying: error
            )
        }
    }

    private static func temporary(beside path: ItemPath) -> ItemPath {
        path.parent.appending(".ferry-\(TemporaryOwner.uuid().uuidString.lowercased()).tmp")
    }

    private func merge(_ source: Source, into target: ItemPath) async throws {
        let byKey = try await itemsByKey(in: target)
        for item in try await provider.contentsOfDirectory(path: source.path) {
            try Task.checkCancellation()
            let below = try await self.source(at: item.path)
            let place = target.appending(item.name)
            if let there = byKey[OneDriveName.key(ItemPath.root.appending(item.name))] {
                guard there.type == item.type, there.identity != item.identity else {
                    throw CocoaError.itemExists(place)
                }
                if item.isDirectory {
                    try await merge(below, into: there.path)
                } else {
                    try await replaceFile(try await self.source(at: there.path), with: below)
                }
            } else {
                _ = try await put(below, to: place, .fail)
            }
        }
        guard kind == .move else { return }
        // An item that somebody has put there meanwhile must not go with the folder.
        guard try await provider.contentsOfDirectory(path: source.path).isEmpty else {
            throw CocoaError.itemExists(target)
        }
        try await provider.remove(source.id, about: source.path)
    }

    /// Returns the items of a folder by what names are compared by.
    private func itemsByKey(in folder: ItemPath) async throws -> [ItemPath: FileObject] {
        let items = try await provider.contentsOfDirectory(path: folder)
        return Dictionary(items.map { (OneDriveName.key(ItemPath.root.appending($0.name)), $0) }) { first, _ in first }
    }

    /// The first item that is of one kind on one side and of another on the other, or is the same on both: nothing is
    /// changed then.
    private func firstClash(_ path: ItemPath, _ target: ItemPath) async throws -> ItemPath? {
        let byKey = try await itemsByKey(in: target)
        for item in try await provider.contentsOfDirectory(path: path) {
            let place = target.appending(item.name)
            guard let there = byKey[OneDriveName.key(ItemPath.root.appending(item.name))] else { continue }
            if there.type != item.type || there.identity == item.identity { return place }
            if item.isDirectory, let clash = try await firstClash(item.path, there.path) { return clash }
        }
        return nil
    }

    // MARK: One item

    /// Renames an item to another spelling of its name, which the service takes.
    private func respell(_ source: Source, as target: ItemPath) async throws {
        guard kind == .move else { throw CocoaError.sameItem(target) }
        _ = try await put(source, to: target, .fail)
    }

    /// Returns whether an item is in another drive than a folder: the service moves within one drive only.
    private func isElsewhere(_ source: Source, than folder: ItemPath) async throws -> Bool {
        let drive = try await provider.folder(at: folder).foreignDriveID
        let own = provider.drive.withLock { $0.id }
        return (drive ?? own)?.lowercased() != (source.place.foreignDriveID ?? own)?.lowercased()
    }

    /// Removes what was copied to another drive, unless somebody has changed it meanwhile: then it stays.
    private func removeCopied(_ source: Source) async throws {
        try await provider.remove(source.id, about: source.path, ifMatch: source.item.eTag)
    }

    /// Moves or copies an item to where nothing is.
    private func put(_ source: Source, to target: ItemPath, _ conflict: OneDriveConflict) async throws -> FileObject {
        switch kind {
        case .copy: return try await provider.copy(source, to: target, conflict, progress)
        case .move:
            guard try await !isElsewhere(source, than: target.parent) else {
                let copy = try await provider.copy(source, to: target, conflict, progress)
                try await removeCopied(source)
                return copy
            }
            let file = try await provider.relocate(
                source.item,
                at: source.place,
                from: source.path,
                to: target,
                conflict
            )
            progress?.completedUnitCount += 1
            return file
        }
    }
}

extension OneDriveFileProvider {
    fileprivate func copy(
        _ source: OneDriveTransfer.Source,
        to target: ItemPath,
        _ conflict: OneDriveConflict,
        _ progress: Progress?
    ) async throws -> FileObject {
        guard source.item.shortcutTarget == nil else {
            let (item, place) = try await followed(source)
            return try await copy(item, at: place, from: source.path, to: target, conflict, reporting: progress)
        }
        return try await copy(
            source.item,
            at: source.place,
            from: source.path,
            to: target,
            conflict,
            reporting: progress
        )
    }

    /// Returns the item of another drive that a shortcut leads to: a copy of the shortcut would be no copy.
    private func followed(_ source: OneDriveTransfer.Source) async throws -> (GraphItem, OneDrivePlace) {
        guard let target = source.item.shortcutTarget else { return (source.item, source.place) }
        let place = try await place(of: target)
        return (try await graphItem(at: place, about: source.path), place)
    }
}

extension FileObject {
    /// The identifier of the item, or of what it leads to.
    fileprivate var identity: String? { extras[.shortcutTarget] ?? id }
}

extension Optional {
    fileprivate func asyncMap<Value>(_ body: (Wrapped) async throws -> Value) async throws -> Value? {
        guard let self else { return nil }
        return try await body(self)
    }
}
