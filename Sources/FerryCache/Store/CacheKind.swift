/// A kind of entry that is kept of an item.
public enum CacheKind: UInt8, Sendable, Hashable, CaseIterable, Codable {
    /// The items of a folder.
    case listing
    /// The item as a listing would show it.
    case attributes
    /// Its bytes, all of them or some.
    case contents
    /// Small pictures of it.
    case thumbnail
    /// The properties in the file itself.
    case metadata
    /// How full the storage is.
    case quota
}
