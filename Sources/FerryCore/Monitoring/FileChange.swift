/// Something that happened to an item.
public struct FileChange: Sendable, Hashable, Codable {
    /// The kind of an event.
    public enum Kind: Sendable, Hashable, Codable {
        /// The item is new at its path.
        case created
        /// The item's content has changed.
        case modified
        /// The item, with all below it, was somewhere else before.
        case moved(from: ItemPath)
        /// The item, with all below it, is gone.
        case removed
        /// The item's dates, permissions or other attributes have changed.
        case attributes
        /// Something happened at or below the path that is not known any better: list it again.
        case rescan
    }

    /// The kind of the event.
    public var kind: Kind

    /// The item's path now, or before it was removed.
    public var path: ItemPath

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - kind: The kind of change.
    ///   - path: Where the item is now, or was.
    public init(_ kind: Kind, path: ItemPath) {
        self.kind = kind
        self.path = path
    }
}
