public import Foundation

/// An item that is kept out of sight.
public struct SetAsideItem: Sendable, Hashable {
    /// The identity that leads back to it.
    public let id: String
    /// The date at which it was put there; `nil` if that is not known.
    public let date: Date?
    /// The item as it is there; the path is of no use.
    public let item: FileObject

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - id: The identifier that leads back to it.
    ///   - date: When it was put there.
    ///   - item: The item.
    public init(id: String, date: Date?, item: FileObject) {
        self.id = id
        self.date = date
        self.item = item
    }
}

/// A storage that can keep what is about to be replaced or removed out of everybody's sight, at next to no cost.
///
/// It is what undoing needs where there are neither versions nor a trash. Local files are renamed, or get a second name,
/// on their own file system.
public protocol FileProviderSettingAside: FileProviderBasic {
    /// Keeps an item.
    ///
    /// - Parameters:
    ///   - path: The item, of a link the link itself; never the root.
    ///   - name: The name for it there: a UUID.
    ///   - copying: `true` if the item stays where it is, too; then it is a file, and what is kept is no second file as
    ///     long as that is not written to in place.
    /// - Returns: The identifier that leads back to it; its end is `name`.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` where there is no room for it on its file system.
    func setAside(path: ItemPath, name: String, copying: Bool) async throws -> String

    /// Gives a kept item a place again, with all it had.
    ///
    /// - Parameters:
    ///   - id: The identifier that leads to it; a name alone will do where `setAside` did not come to its end.
    ///   - target: The place.
    ///   - overwrite: `true` if a file there is replaced, in one step.
    /// - Throws: `CocoaError.fileNoSuchFile` when it is no longer kept, or the place's folder is gone;
    ///   `.fileWriteFileExists`.
    func bringBack(_ id: String, to target: ItemPath, overwrite: Bool) async throws

    /// The entries that are kept.
    ///
    /// - Returns: Items, in no order.
    /// - Throws: An error if the storage can't be examined.
    func itemsSetAside() async throws -> [SetAsideItem]

    /// Returns whether an item is still kept.
    ///
    /// - Parameter id: The identifier of the kept item.
    /// - Returns: `true` if it is there.
    /// - Throws: An error if the storage can't be examined.
    func isSetAside(_ id: String) async throws -> Bool

    /// Removes kept items for good; that one is gone already is as good.
    ///
    /// - Parameter ids: The identifiers of the kept items.
    /// - Throws: The error that keeps one from being removed; the others are.
    func discardSetAside(_ ids: [String]) async throws
}
