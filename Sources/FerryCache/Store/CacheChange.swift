import FerryCore

/// Something that is no longer as it was: what was asked about it before is not kept.
struct CacheChange: Sendable, Hashable {
    /// The account that it is about; `nil` for all.
    var account: CacheAccount?
    let path: ItemPath
    /// Indicates whether all below has changed too.
    let below: Bool
    /// The kinds of answers; `nil` for all, since the item itself has changed.
    let kinds: Set<CacheKind>?

    /// Returns whether it is about an item, or about something below it.
    func touches(_ item: ItemPath, of other: CacheAccount) -> Bool {
        if let account, account != other { return false }
        return path == item || path.isBelow(item) || (below && item.isBelow(path))
    }

    /// Returns whether an answer from before it may be wrong now.
    ///
    /// - Parameter key: The answer's key.
    /// - Returns: `true` also where nobody can tell.
    func concerns(_ key: CacheKey) -> Bool {
        if let account, account != key.account { return false }
        if let kinds, !kinds.contains(key.kind) { return false }
        if key.path == path || (below && key.path.isBelow(path)) { return true }
        guard kinds == nil else { return false }
        // The folder's listing shows the item; how full the storage is may depend on any.
        return key.kind == .quota || (key.kind == .listing && key.path == path.parent)
    }
}
