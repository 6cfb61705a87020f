import FerryCore

/// A folder to look into.
struct TransferFolder: Sendable {
    /// Deeper than any real tree: then a listing contains itself.
    static let deepest = 1_000

    /// From the top of the transfer, by the target's names.
    let path: ItemPath

    /// From the top of the transfer, by the names that filters are about.
    let plainPath: ItemPath

    /// Where the source has it.
    let sourcePath: ItemPath

    /// Indicates whether the target has it.
    var isAtTarget: Bool

    /// Indicates whether the target may have it, and something in it, though nobody has seen it.
    private(set) var isUncertain = false

    /// Indicates whether this transfer has tried to make it.
    private(set) var wasBegun = false

    /// The folder as the source's listing shows it; `nil` for the top.
    var item: FileObject?

    /// The folder as the target's listing shows it.
    var targetItem: FileObject?

    /// The folders above, by their identifiers.
    private let ancestry: Ancestry?

    /// A chain of identifiers, shared by all that is below.
    private final class Ancestry: Sendable {
        let id: String
        let above: Ancestry?

        init(id: String, above: Ancestry?) {
            self.id = id
            self.above = above
        }
    }

    private let depth: Int

    /// The top of a transfer.
    ///
    /// - Parameters:
    ///   - sourcePath: Where the source has it.
    ///   - isAtTarget: `true` if the target has it.
    init(top sourcePath: ItemPath, isAtTarget: Bool) {
        path = .root
        plainPath = .root
        self.sourcePath = sourcePath
        self.isAtTarget = isAtTarget
        ancestry = nil
        depth = 0
    }

    /// A folder in another.
    ///
    /// - Parameters:
    ///   - item: The item as the source lists it.
    ///   - folder: Where it is.
    ///   - name: The name at the target.
    ///   - plainName: The name for filters.
    ///   - targetItem: The target's item there.
    init(_ item: FileObject, in folder: TransferFolder, name: String, plainName: String, targetItem: FileObject?) {
        path = folder.path.appending(name)
        plainPath = folder.plainPath.appending(plainName)
        sourcePath = item.path
        isAtTarget = targetItem != nil
        self.item = item
        self.targetItem = targetItem
        ancestry = item.id.map { Ancestry(id: $0, above: folder.ancestry) } ?? folder.ancestry
        depth = folder.depth + 1
    }

    /// A folder that was to be copied as a whole, where names stay as they are; some of it may have been.
    ///
    /// - Parameters:
    ///   - action: The action that was to be done.
    ///   - wasBegun: `true` if the target's present folder may come from that action.
    init(whole action: TransferAction, wasBegun: Bool) {
        path = action.path
        plainPath = action.path
        sourcePath = action.source?.path ?? action.path
        isAtTarget = false
        isUncertain = true
        self.wasBegun = wasBegun
        // The top is no folder that a listing shows.
        item = action.path.isRoot ? nil : action.source
        targetItem = nil
        ancestry = nil
        depth = action.path.components.count
    }

    /// Returns whether an item that this folder lists is the folder itself, or one that it is in.
    func contains(itself item: FileObject) -> Bool {
        guard item.isDirectory else { return false }
        let path = item.path
        if depth >= Self.deepest || path == sourcePath || sourcePath.isBelow(path) { return true }
        guard let id = item.id else { return false }
        var ancestor = ancestry
        while let next = ancestor {
            if next.id == id { return true }
            ancestor = next.above
        }
        return false
    }
}
