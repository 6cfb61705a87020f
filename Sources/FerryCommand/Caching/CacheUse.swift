import FerryCache

/// The use that a run of the command makes of the cache of remotes.
enum CacheUse: Sendable, Hashable {
    /// Nothing is taken from it, and nothing kept.
    case none
    /// Remotes are read with these options.
    case reading(CachingOptions)
    /// Remotes are not asked; only what is kept of them is looked at, or cleared.
    case managing

    /// Indicates whether remotes are not to be asked.
    var isOffline: Bool { self == .managing || self == .reading(.onlyIfCached) }
}
