import FerryCore
import Foundation

/// Free names, for items whose names are taken.
extension CopyWork {
    /// Returns the place that a source gets if what is at the wanted one is kept.
    func freePlace(for source: Source, at wanted: Location) async throws -> Location {
        guard !isLeftToServer(source, wanted), try await wanted.itemItself() != nil else { return wanted }
        // A move onto itself is refused.
        if case .move = kind, source.location.path == wanted.path, source.location.isOnSameStorage(as: wanted) {
            return wanted
        }
        if source.name.isEmpty, source.item.isDirectory {
            throw CocoaError.file(
                .fileWriteFileExists,
                path: wanted.path,
                description: "is there already, and what is copied has no name of its own",
                suggestion: "name the folder from the one that holds it"
            )
        }
        return Location(at: try await wanted.storage.fileByUniqueName(wanted.path), in: wanted)
    }

    /// Returns whether the storage finds the free name, as it copies or moves the item by itself.
    func isLeftToServer(_ source: Source, _ target: Location) -> Bool {
        keepsBoth && !target.isLocal && options.isPlain && source.location.isOnSameStorage(as: target)
            && !source.name.isEmpty
    }

    /// Returns whether an item is only to get another spelling of its name, which its storage takes for the same: a
    /// folder, or a file that would make room for itself.
    func isOtherSpelling(_ source: Source, of target: Location) async throws -> Bool {
        let path = source.location.path
        guard case .move = kind, source.item.isDirectory || (keepsBoth && options.isPlain), path != target.path,
            path.mayBeSame(as: target.path), source.location.isOnSameStorage(as: target)
        else { return false }
        if let storage = target.storage as? any FileProviderNameFolding {
            return try await storage.isSameItem(path, target.path)
        }
        guard !target.storage.capabilities.isCaseSensitive, let id = source.item.id else { return false }
        return try await target.itemItself()?.id == id
    }

    /// Leaves it to the storage, and the name too, if that is taken.
    func transferInside(_ source: Source, keepingBothAt target: Location) async throws {
        let (from, to) = (source.location.path, target.path)
        let storage = target.storage
        let operation: FileOperationType =
            if case .move = kind {
                .move(source: from, destination: to)
            } else {
                .copy(source: .item(from), destination: .item(to))
            }
        let item = try await ProgressBar.show(
            operation,
            title: source.location.text,
            on: session.console
        ) { progress in
            if case .move = kind {
                try await storage.moveItem(path: from, keepingBothAt: to, reporting: progress)
            } else {
                try await storage.copyItem(path: from, keepingBothAt: to, reporting: progress)
            }
        }
        session.tellName(of: item.path, wanted: target)
    }
}

extension Session {
    /// Says which name a new item has, if another item has the one that was wanted.
    ///
    /// - Parameters:
    ///   - path: The new item.
    ///   - wanted: The place that was wanted for it.
    func tellName(of path: ItemPath, wanted: Location) {
        guard path != wanted.path else { return }
        console.tell("ferry: \(wanted.text): is there already, the new one is '\(path.lastName)'")
    }
}
