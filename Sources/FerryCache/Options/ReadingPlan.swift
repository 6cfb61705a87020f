/// What a reading call does with the cache, as its options say.
struct ReadingPlan: Sendable, Hashable {
    /// When what is kept is an answer.
    enum Use: Sendable, Hashable {
        /// Never.
        case never
        /// Without the storage being asked.
        case unasked
        /// When the storage says that it still has the same.
        case validated
        /// Without the storage being asked, whether there is anything or not.
        case only
    }

    /// When what is kept is an answer.
    var use: Use

    /// Whether what is kept of the item is removed first.
    var removesFirst: Bool

    /// Whether what the storage answers is kept.
    var keeps: Bool

    /// Reads options.
    ///
    /// - Parameters:
    ///   - options: What the caller wants.
    ///   - use: When what is kept is an answer, unless the caller says otherwise.
    init(_ options: CachingOptions, otherwise use: Use) {
        guard !options.contains(.onlyIfCached) else {
            self.use = .only
            removesFirst = false
            keeps = false
            return
        }
        removesFirst = options.contains(.removeExistingCache)
        keeps = !options.contains(.doNotCacheResult)
        if !options.isDisjoint(with: [.doNotReturnCachedResult, .removeExistingCache, .requestEvenIfCached]) {
            self.use = .never
        } else {
            self.use = options.contains(.validate) ? .validated : use
        }
    }

    /// Whether the cache has nothing to do with the call.
    var passesBy: Bool { use == .never && !removesFirst && !keeps }
}
