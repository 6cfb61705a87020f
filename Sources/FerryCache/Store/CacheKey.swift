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
