import Foundation

/// A point in a storage's history, as the storage itself writes it down.
public struct ChangeAnchor: Sendable, Hashable, Codable {
    /// The storage's cursor, delta link or sync token.
    public let token: String

    /// Makes an anchor.
    ///
    /// - Parameter token: The storage's own text.
    public init(token: String) {
        self.token = token
    }
}

/// The change of an item since an anchor.
public enum TrackedChange: Sendable, Hashable {
    /// The item is new, or has changed; `previousPath` is where it was, if it moved and the storage tells.
    ///
    /// It is about this one item: the contents of a folder that has moved are reported item by item.
    case updated(FileObject, previousPath: ItemPath?)
    /// The item, with all below it, is gone from this path.
    case removed(ItemPath, id: String?)
    /// The item with this identifier, with all below it, is gone, and the storage doesn't say from which path.
    ///
    /// A program that keeps paths looks up the path under which the item was last seen. If the identifier is unknown
    /// there, the change says nothing about any other item; a program that keeps no identifiers lists again.
    case removedItem(id: String)
}

/// A portion of what has changed.
public struct ChangeSet: Sendable, Hashable {
    /// The changes, in an order in which they can be applied.
    public let changes: [TrackedChange]

    /// From where to ask next.
    public let anchor: ChangeAnchor

    /// Indicates whether more is known already: ask again at once.
    public let hasMore: Bool

    /// Makes a portion.
    ///
    /// - Parameters:
    ///   - changes: The changes, in an order in which they can be applied.
    ///   - anchor: From where to ask next.
    ///   - hasMore: `true` if more is known already.
    public init(changes: [TrackedChange], anchor: ChangeAnchor, hasMore: Bool) {
        self.changes = changes
        self.anchor = anchor
        self.hasMore = hasMore
    }
}

/// A storage that can tell what has changed since some time.
public protocol FileProviderChangeTracking: FileProviderBasic {
    /// The present moment in the storage's history.
    ///
    /// - Returns: An anchor that later calls can begin from, in this process or another.
    /// - Throws: Errors of the connection.
    func currentAnchor() async throws -> ChangeAnchor

    /// Returns what has changed since an anchor.
    ///
    /// - Parameter anchor: From an earlier call.
    /// - Returns: Changes, possibly only some of them, and from where to ask next.
    /// - Throws: ``AnchorExpiredError`` when the storage no longer knows: list everything again. That is never to be
    ///   taken for "everything is gone".
    func changes(since anchor: ChangeAnchor) async throws -> ChangeSet

    /// Waits until something has changed since an anchor.
    ///
    /// If you don't write it, ``changes(since:)`` is called again and again, each second at first and each minute when
    /// nothing has happened for a while. Write it where the storage reports changes by itself.
    ///
    /// - Parameters:
    ///   - anchor: From an earlier call.
    ///   - timeout: The time to wait at most, without the time that requests take. With zero, the storage is asked once.
    /// - Returns: `true` if there is something new: call ``changes(since:)``, which can have nothing all the same, for
    ///   example when a change was taken back. `false` when the time is over.
    /// - Throws: ``AnchorExpiredError``; errors of the connection; `CancellationError` as soon as the task is cancelled.
    func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool
}

/// The storage no longer knows what happened since an anchor: HTTP's 410, also from storages that have no HTTP.
public struct AnchorExpiredError: FileProviderHTTPError, Hashable {
    /// The root: all of it must be listed again.
    public var path: ItemPath { .root }

    /// The server's own words, if it gave any.
    public let serverDescription: String?

    /// 410 (RFC 9110 §15.5.11).
    public var statusCode: Int { 410 }

    /// The error in words.
    public var errorDescription: String? { "The storage no longer knows what has changed since then." }

    /// The same in words that can end a line.
    public var failureReason: String? { "the storage no longer knows what changed since then" }

    /// A suggestion.
    public var recoverySuggestion: String? { "list everything again and begin from a new anchor" }

    /// Makes the error.
    ///
    /// - Parameter serverDescription: The server's own words, if it gave any.
    public init(serverDescription: String? = nil) {
        self.serverDescription = serverDescription
    }
}
