public import FerryCore
public import Foundation

/// One thing that a store keeps.
public struct CacheEntry: Sendable, Hashable {
    /// The account that it is kept for.
    public let account: CacheAccount
    /// Of which item.
    public let path: ItemPath
    /// Of what kind.
    public let kind: CacheKind
    /// Which of several of the kind; empty if there is one only.
    public let variant: String
    /// The item's version; `nil` if the storage has none.
    public let eTag: String?
    /// Bytes of the item; `nil` if not known.
    public let size: Int64?
    /// When the item had changed; `nil` if not known.
    public let modifiedDate: Date?
    /// Bytes that are kept.
    public let bytes: Int64
    /// When the storage last said so.
    public let date: Date
    /// Indicates whether all is there; of contents, parts may be.
    public let isWhole: Bool
}
