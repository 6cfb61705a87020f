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

    func source(at path: ItemPath) async throws -> Source {
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

    // MARK: One item

    /// Renames an item to another spelling of its name, which the service takes.
    private func respell(_ source: Source, as target: ItemPath) async throws {
        guard kind == .move else { throw CocoaError.sameItem(target) }
        _ = try await put(source, to: target, .fail)
    }

    /// Returns whether an item is in another drive than a folder: the service moves within one drive only.
    func isElsewhere(_ source: Source, than folder: ItemPath) async throws -> Bool {
        let drive = try await provider.folder(at: folder).foreignDriveID
        let own = provider.drive.withLock { $0.id }
        return (drive ?? own)?.lowercased() != (source.place.foreignDriveID ?? own)?.lowercased()
    }

    /// Removes what was copied to another drive, unless somebody has changed it meanwhile: then it stays.
    func removeCopied(_ source: Source) async throws {
        try await provider.remove(source.id, about: source.path, ifMatch: source.item.eTag)
    }

    /// Moves or copies an item to where nothing is.
    func put(_ source: Source, to target: ItemPath, _ conflict: OneDriveConflict) async throws -> FileObject {
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
    /// Copies an item, or what a shortcut leads to.
    ///
    /// - Parameters:
    ///   - source: The item.
    ///   - target: The copy's path.
    ///   - conflict: The fate of the copy if its name is taken.
    ///   - progress: 1 unit is added, and fills as the service says.
    /// - Returns: The copy.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func copy(
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
