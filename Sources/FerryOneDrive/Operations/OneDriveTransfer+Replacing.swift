import FerryCore
import FerryHTTP
import Foundation
import Synchronization

/// The steps of a move or a copy onto something that is there.
extension OneDriveTransfer {
    func replace(_ existing: Source, with source: Source, at target: ItemPath) async throws {
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
        let aside = TemporaryName.make(beside: target)
        // A copy is made beside first: as long as it takes, the old file stays.
        let isCopied = kind == .copy ? true : try await isElsewhere(source, than: target.parent)
        let ready =
            isCopied
            ? try await provider.copy(source, to: TemporaryName.make(beside: target), .fail, progress) : nil
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
