/// A storage that tells when something changes.
///
/// `registerNotification(path:eventHandler:)` and its sisters follow from ``changes(under:)``.
public protocol FileProviderMonitor: FileProviderBasic {
    /// Watches an item and all below it.
    ///
    /// Everything that happens after this method has returned is reported.
    ///
    /// - Parameter path: The item to watch; it must exist.
    /// - Returns: The changes as they happen.
    /// - Throws: `CocoaError.fileNoSuchFile`; what keeps the storage from watching.
    func changes(under path: ItemPath) async throws -> FileChanges
}

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

/// A change with what its storage knows besides: that decides what need not be told.
package struct NotedChange: Sendable, Hashable {
    /// The event.
    package var change: FileChange

    /// Indicates whether the item is known to have nothing below it.
    package var isFile: Bool

    /// Indicates whether a move has replaced something that was known.
    package var replaces: Bool

    /// Notes a change.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - isFile: `true` if the item is known to have nothing below it.
    ///   - replaces: `true` if a move has replaced something that was known.
    package init(_ change: FileChange, isFile: Bool = false, replaces: Bool = false) {
        self.change = change
        self.isFile = isFile
        self.replaces = replaces
    }
}
