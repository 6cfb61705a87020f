#if !canImport(Darwin)
public import FerryCore
import Foundation

/// The trash that desktops share (freedesktop.org Trash specification 1.0): what is put there, they show, and the other
/// way round.
extension LocalFileProvider: FileProviderTrash {
    /// `false`: removed items are gone.
    public var trashesRemovedItems: Bool { false }

    /// Puts an item into the trash of its file system: in the user's home, or at the file system's top.
    ///
    /// - Parameter path: The item; never the root.
    /// - Returns: The item in the trash.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` where no trash can be made.
    @discardableResult
    public func trashItem(path: ItemPath) async throws -> TrashedItem {
        try await pool.run { [base, trashes] in
            if path.isRoot { throw CocoaError.baseFolder(path) }
            return try Trash(base: base, trashes: trashes).put(path)
        }
    }

    /// Returns what is in the trash and came from below the base folder.
    ///
    /// - Returns: Items, latest first.
    /// - Throws: The error that keeps the trash from being read completely.
    public func trashedItems() async throws -> [TrashedItem] {
        try await pool.run { [base, trashes] in
            try Trash(base: base, trashes: trashes).items().map(\.item)
        }
    }

    /// Takes an item out of the trash; it never replaces what exists.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - target: Where to put it; `nil` for where it came from.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile` when it is no longer in the trash, or its folder is
    ///   gone.
    public func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) async throws {
        let job = Job()
        try await pool.run(job) { [base, trashes, pool] in
            try Trash(base: base, trashes: trashes).restore(item, to: target ?? item.originalPath, job: job, pool: pool)
        }
    }

    /// Removes items from the trash for good.
    ///
    /// - Parameter items: Which ones; `nil` for all that came from below the base folder.
    /// - Throws: The error that kept the first item from being removed that could not be; the others are removed.
    public func emptyTrash(_ items: [TrashedItem]?) async throws {
        let job = Job()
        try await pool.run(job) { [base, trashes] in
            try Trash(base: base, trashes: trashes).empty(items, job: job)
        }
    }
}
#endif
