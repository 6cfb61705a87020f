public import FerryCore

/// The effect of an operation on one item, in terms that can be turned round: undoing one step is another step.
public enum UndoStep: Sendable, Hashable, Codable {
    /// A folder came.
    case made(folder: ItemPath, ItemStamp?)
    /// An empty folder went.
    case unmade(folder: ItemPath, ItemStamp)
    /// An item got another place.
    case moved(from: ItemPath, to: ItemPath, ItemStamp?)
    /// An item came. The last is how it can be had again if it goes, without being kept.
    case added(ItemPath, ItemStamp?, again: KeptItem?)
    /// An item went, and is kept.
    case removed(ItemPath, ItemStamp, KeptItem?)
    /// A file's content gave way to another, and is kept.
    case replaced(ItemPath, left: ItemStamp?, former: ItemStamp, KeptItem?)
    /// An item's attributes were set.
    case changed(ItemPath, left: ItemStamp, from: ItemAttributes, to: ItemAttributes)
    /// Something was done that can't be taken back: why.
    case lost(ItemPath, String)

    /// The item it is about: of a move, where it went.
    public var path: ItemPath {
        switch self {
        case .made(let path, _), .unmade(let path, _), .added(let path, _, _), .removed(let path, _, _),
            .replaced(let path, _, _, _), .changed(let path, _, _, _), .lost(let path, _), .moved(_, let path, _):
            path
        }
    }

    /// All places that it is about.
    package var places: [ItemPath] {
        if case .moved(let source, let target, _) = self { return [source, target] }
        return [path]
    }

    /// The item that it keeps.
    public var kept: KeptItem? {
        switch self {
        case .removed(_, _, let kept), .replaced(_, _, _, let kept): kept
        case .made, .unmade, .moved, .added, .changed, .lost: nil
        }
    }

    /// Indicates whether it can be taken back at all.
    public var isReversible: Bool {
        switch self {
        case .lost: false
        case .removed(_, _, let kept), .replaced(_, _, _, let kept): kept != nil
        case .made, .unmade, .moved, .added, .changed: true
        }
    }

    /// Bytes of ours that are kept for it, as far as they are known; what a server keeps by itself is its own.
    public var keptBytes: Int64 {
        switch self {
        case .removed(_, let former, .some(let kept)), .replaced(_, _, let former, .some(let kept)):
            kept.isOurs ? former.size ?? former.tree?.bytes ?? 0 : 0
        default: 0
        }
    }
}
