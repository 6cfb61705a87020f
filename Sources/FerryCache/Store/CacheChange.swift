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

/// A moment before the storage was asked, so that an answer is not kept if something has changed since.
struct CacheMark: Sendable, Hashable {
    /// Changes that this process knew of; no two marks of a store have the same.
    let serial: UInt64
    /// Changes that all processes knew of; `nil` if the disk could not say, and then the answer isn't kept there.
    var disk: DiskMark?

    /// A moment in the life of one index.
    struct DiskMark: Sendable, Hashable {
        /// Tells the index from one that was made anew in its place.
        let index: Int64
        /// The last change in its log.
        let change: Int64
    }
}

/// The moment until which changes were known when that was last looked at.
struct LatestMark: Sendable {
    /// How long it will do.
    static let validity = Duration.milliseconds(50)

    /// The moment, until when it will do, and how often the index had been made anew; `nil` if it will not do.
    var mark: (mark: CacheMark.DiskMark, end: ContinuousClock.Instant, replacements: Int)?
    /// How often this process has begun or ended to change something: who has looked meanwhile has seen no more than
    /// half.
    private(set) var changes = 0

    /// A change of this process begins or ends: what is asked later must be later.
    mutating func change() {
        changes += 1
        mark = nil
    }
}
