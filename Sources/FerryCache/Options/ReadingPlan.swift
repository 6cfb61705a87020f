/// The way in which a reading call uses the cache, as its options say.
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

    /// Indicates whether what is kept of the item is removed before anything else, since it is no answer.
    var removesFirst: Bool

    /// Indicates whether what is kept of the item is removed once it has been the answer, or has turned out to be none.
    var removesAfter: Bool

    /// Indicates whether what the storage answers is kept.
    var keeps: Bool

    /// Indicates whether folders that are likely to be opened next are listed afterwards.
    var prefetches = true

    /// Reads options.
    ///
    /// - Parameters:
    ///   - options: The caller's options.
    ///   - use: When what is kept is an answer, unless the caller says otherwise.
    init(_ options: CachingOptions, otherwise use: Use) {
        let removes = options.contains(.removeExistingCache)
        if options.contains(.onlyIfCached) {
            self.use = .only
        } else if !options.isDisjoint(with: [.doNotReturnCachedResult, .requestEvenIfCached]) {
            self.use = .never
        } else {
            self.use = options.contains(.validate) ? .validated : use
        }
        keeps = !options.contains(.doNotCacheResult) && self.use != .only
        removesFirst = removes && self.use == .never
        removesAfter = removes && self.use != .never
    }

    /// Indicates whether the cache has nothing to do with the call.
    var passesBy: Bool { use == .never && !removesFirst && !keeps }
}
