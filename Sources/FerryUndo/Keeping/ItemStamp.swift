public import FerryCore
public import Foundation

/// The state of an item at a moment: enough to tell whether it still is, and to bring it back as it was.
public struct ItemStamp: Sendable, Hashable, Codable {
    /// The kind of item.
    public var type: FileObject.Kind
    /// The storage's identifier.
    public var id: String?
    /// Bytes of a file.
    public var size: Int64?
    /// The date at which the content last changed.
    public var modified: Date?
    /// The content's version.
    public var eTag: String?
    /// POSIX permission bits.
    public var permissions: UInt16?
    /// The tree below a folder.
    public var tree: TreeStamp?
    /// Extended attributes, where they are kept apart from the item.
    public var extendedAttributes: [String: Data]?

    /// Notes what a storage says of an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - tree: The state of everything below it, if that matters.
    public init(_ item: FileObject, tree: TreeStamp? = nil) {
        type = item.type
        id = item.id
        size = item.isRegularFile ? item.size : nil
        modified = item.modifiedDate
        eTag = item.isRegularFile ? item.eTag : nil
        permissions = item.permissions
        self.tree = tree
    }

    /// The same, where what is below a folder does not matter.
    var withoutTree: ItemStamp {
        var stamp = self
        stamp.tree = nil
        return stamp
    }

    /// Returns whether an item is still the same, with the same content.
    ///
    /// Of folders only identity and kind count: their dates change with what is in them. What either side does not know
    /// is not compared.
    ///
    /// - Parameter item: The item as it is now.
    /// - Returns: `false` if anything differs that is known of both.
    public func matches(_ item: FileObject) -> Bool {
        guard type == item.type, Self.agree(id, item.id) else { return false }
        if type == .directory { return true }
        return Self.agree(size, item.isRegularFile ? item.size : nil)
            && Self.agree(eTag.map(Self.strong), item.isRegularFile ? item.eTag.map(Self.strong) : nil)
            && Self.agree(modified, item.modifiedDate)
    }

    /// Returns whether an item has the same content, be it another item.
    ///
    /// - Parameter item: Another item.
    /// - Returns: `false` if kind, size or date differ.
    public func resembles(_ item: FileObject) -> Bool {
        type == item.type && Self.agree(size, item.isRegularFile ? item.size : nil)
            && Self.agree(modified, item.modifiedDate)
    }

    /// Returns `true` if an item has the same kind and size.
    ///
    /// Of an item that has come back, no more is known until its date is set.
    func isLike(_ item: FileObject) -> Bool {
        type == item.type && Self.agree(size, item.isRegularFile ? item.size : nil)
    }

    /// Returns what was noted may be the date that the storage was given, of which it keeps fewer digits.
    private static func agree(_ noted: Date?, _ told: Date?) -> Bool {
        guard let noted, let told else { return true }
        return noted.isKept(as: told)
    }

    private static func agree<Value: Equatable>(_ first: Value?, _ second: Value?) -> Bool {
        guard let first, let second else { return true }
        return first == second
    }

    /// Some servers call a version weak for as long as it is a second old.
    private static func strong(_ tag: String) -> String {
        tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
}
