import FerryCore

/// The properties that tell one thing that is kept from all others.
struct CacheKey: Sendable, Hashable {
    let account: CacheAccount
    let path: ItemPath
    let kind: CacheKind
    /// Which of several of a kind, such as a thumbnail's size; empty if there is one only.
    let variant: String

    init(_ account: CacheAccount, _ path: ItemPath, _ kind: CacheKind, _ variant: String = "") {
        self.account = account
        self.path = path
        self.kind = kind
        self.variant = variant
    }

    static func == (first: CacheKey, second: CacheKey) -> Bool {
        first.kind == second.kind && first.path == second.path && first.account == second.account
            && first.variant.hasSameBytes(as: second.variant)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(kind)
    }
}

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
    /// The storage's size, and how much of it is used.
    case quota
}
