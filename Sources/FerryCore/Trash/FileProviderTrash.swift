public import Foundation

/// An item in the trash.
public struct TrashedItem: Sendable, Hashable {
    /// The identity that tells it from other items in the trash.
    public let id: String
    /// The item as it was: its path is where it came from.
    public let item: FileObject
    /// The date at which it was put there; `nil` if the storage does not say.
    public let deletionDate: Date?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - id: The identifier that tells it from other items in the trash.
    ///   - item: The item as it was.
    ///   - deletionDate: When it was put there.
    public init(id: String, item: FileObject, deletionDate: Date?) {
        self.id = id
        self.item = item
        self.deletionDate = deletionDate
    }

    /// The path that it came from.
    public var originalPath: ItemPath { item.path }
}

/// A storage with a trash, from which removed items can come back.
public protocol FileProviderTrash: FileProviderBasic {
    /// Indicates whether what is removed (``FileProviderOperations/removeItem(path:reporting:)``) goes into the trash
    /// by itself; else it is gone.
    var trashesRemovedItems: Bool { get }

    /// Puts an item into the trash, a folder with all below it.
    ///
    /// - Parameter path: The item; never the root.
    /// - Returns: The item in the trash.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` where this item's place has no trash.
    @discardableResult
    func trashItem(path: ItemPath) async throws -> TrashedItem

    /// Returns what is in the trash.
    ///
    /// - Returns: Items, latest first.
    /// - Throws: The error that keeps the trash from being read completely.
    func trashedItems() async throws -> [TrashedItem]

    /// Takes an item out of the trash; it never replaces what exists.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - target: Where to put it; `nil` for where it came from.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile` when it is no longer in the trash, or its folder is
    ///   gone.
    func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) async throws

    /// Returns whether an item can be taken out of the trash by what ``trashItem(path:)`` returned, at any time and by any
    /// process.
    ///
    /// By default it is so for files, and for folders where ``FileProviderCapabilities/restoresTrashedFolders`` says so.
    ///
    /// - Parameter item: The item, as ``trashItem(path:)`` returned it.
    /// - Returns: `false` where a person may have to do it, by the service's own means.
    /// - Throws: The error that keeps the storage from being asked.
    func canRestore(_ item: TrashedItem) async throws -> Bool

    /// Removes items from the trash for good.
    ///
    /// - Parameter items: Which ones; `nil` for all.
    /// - Throws: The error that keeps an item from being removed; the others are removed.
    func emptyTrash(_ items: [TrashedItem]?) async throws
}

extension FileProviderTrash {
    /// Follows from the capabilities.
    public func canRestore(_ item: TrashedItem) async throws -> Bool {
        !item.item.isDirectory || capabilities.restoresTrashedFolders
    }
}
