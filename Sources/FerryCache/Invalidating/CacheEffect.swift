import FerryCore

/// The effect of a change of the storage on what is kept.
enum CacheEffect: Sendable, Hashable {
    /// The item, with all below it, is new, another, or gone.
    case item(ItemPath)
    /// The item's properties as listings show them are others, and of a folder, its own listing.
    case appearance(ItemPath)
    /// How full the storage is.
    case room
    /// Nobody can say what.
    case everything

    /// Returns whether it is about an item, or something below it.
    ///
    /// - Parameter path: The item.
    /// - Returns: `false` too where it is about no item.
    func isAbout(_ path: ItemPath) -> Bool {
        guard case .item(let changed) = self else { return false }
        return changed == path || changed.isBelow(path)
    }

    /// Returns what a call changes, whatever comes of it.
    ///
    /// - Parameter call: The call.
    /// - Returns: Nothing for calls that change nothing.
    static func effects(of call: FileProviderCall) -> [CacheEffect] {
        switch call.method {
        case .createFolder, .writeFolder:
            // Folders above may come to be with it.
            [.item(call.path)] + call.path.foldersAbove.map { .appearance($0) }
        case .copyItem: call.target.map { [.item($0)] } ?? [.everything]
        case .moveItem: [.item(call.path)] + (call.target.map { [.item($0)] } ?? [.everything])
        case .removeItem, .upload, .writeContents, .writeStream, .beginPartialWrite, .finishPartialWrite,
            .discardPartialWrite, .updateBlocks, .createSymbolicLink, .restoreVersion, .trashItem, .lock, .setAside,
            .bringBack:
            [.item(call.path)]
        case .writePart, .emptyTrash, .discardSetAside: [.room]
        // A date that is set back may make one content look like another.
        case .setAttributes: [.item(call.path)]
        case .publicLink, .revokeLink, .unlock: [.appearance(call.path)]
        case .restoreFromTrash:
            [.item(call.target ?? call.path)] + (call.target ?? call.path).foldersAbove.map { .appearance($0) }
        case .writeFiles, .undo, .redo: [.everything]
        case .refreshLock, .describeServer: []
        default: call.method.changesStorage ? [.everything] : []
        }
    }
}

extension ItemPath {
    /// The folders above the item, the nearest first, without the root.
    fileprivate var foldersAbove: [ItemPath] {
        Array(sequence(first: parent) { $0.parent }.prefix { !$0.isRoot })
    }
}
