/// A kind of entry that is kept of an item.
public enum CacheKind: UInt8, Sendable, Hashable, CaseIterable, Codable {
    /// The items of a folder.
    case listing
    /// What a listing would show of the item.
    case attributes
    /// Its bytes, all of them or some.
    case contents
    /// Small pictures of it.
    case thumbnail
    /// What the file says about itself.
    case metadata
    /// How full the storage is.
    case quota
}
