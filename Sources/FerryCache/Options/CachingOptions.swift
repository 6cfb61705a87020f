/// The use that a reading call makes of the cache.
///
/// | options | answers from the cache | asks the storage | keeps the answer |
/// |---|---|---|---|
/// | none, for listings and attributes | if there is one | else | yes |
/// | none, for contents; ``validate`` | if the storage says that it is still the same | always | yes |
/// | ``requestEvenIfCached`` | first, marked as such | always, and tells only what differs | yes |
/// | ``doNotReturnCachedResult`` | never | always | yes |
/// | ``doNotCacheResult`` | if there is one | else | no |
/// | ``removeExistingCache`` | if there is one, which is removed then | else | yes |
/// | ``ignoreCache`` | never | always | no |
/// | ``disableCache`` | never, and it is removed | always | no |
/// | ``onlyIfCached`` | if there is one | never | |
///
/// Answers of the storage are always right; those that come from the cache unasked were right at some time.
public struct CachingOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The storage's answer is not kept.
    public static let doNotCacheResult = CachingOptions(rawValue: 1 << 0)

    /// The storage is asked, whatever is kept.
    public static let doNotReturnCachedResult = CachingOptions(rawValue: 1 << 1)

    /// Kept answers about the item are removed: after one was the answer, or at once where none can be, as with
    /// ``doNotReturnCachedResult``.
    ///
    /// Kept contents that are read as a stream are removed when they have been read to their end.
    public static let removeExistingCache = CachingOptions(rawValue: 1 << 2)

    /// The storage is asked in any case; calls that can answer twice give what is kept at once.
    ///
    /// Of a call that answers once, the answer is the storage's.
    public static let requestEvenIfCached = CachingOptions(rawValue: 1 << 3)

    /// Kept answers are given only when the storage has said that it still has the same: by eTag, else by date and
    /// size; by checksum too, where eTags can stay when contents change
    /// (``/FerryCore/FileProviderCapabilities/eTagsShowContents``).
    public static let validate = CachingOptions(rawValue: 1 << 4)

    /// The storage is not asked; what isn't kept is `URLError.resourceUnavailable`.
    public static let onlyIfCached = CachingOptions(rawValue: 1 << 5)

    /// As if there were no cache; what is kept stays.
    public static let ignoreCache: CachingOptions = [.doNotCacheResult, .doNotReturnCachedResult]

    /// As if there were no cache, nor had been one: ``removeExistingCache``, ``doNotReturnCachedResult`` and
    /// ``doNotCacheResult``.
    public static let disableCache: CachingOptions = [.ignoreCache, .removeExistingCache]
}

/// Settings of a caching provider: what it does before anybody asks.
public struct CacheSettings: Sendable, Hashable {
    /// Bytes that are read on, at most, where a file is read part by part in order; 0 for none.
    public var readAheadBytes: Int64

    /// Folders that are listed, at most, when a folder is opened: those that a person is likely to open next; 0 for
    /// none.
    public var prefetchedFolders: Int

    /// Indicates whether the question if kept contents are still the same is put by asking for them: the answer begins
    /// with their version, and is left unread if that is the same.
    ///
    /// Contents that have changed then take one question instead of two; those that have not may cost the connection.
    /// A storage that can be asked on a condition, of contents with an eTag, is asked so in any case.
    public var validatesByOpening: Bool

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - readAheadBytes: Bytes that are read on, at most.
    ///   - prefetchedFolders: Folders that are listed, at most, when a folder is opened.
    ///   - validatesByOpening: `true` if kept contents are asked about by asking for them.
    public init(readAheadBytes: Int64 = 4 << 20, prefetchedFolders: Int = 0, validatesByOpening: Bool = false) {
        self.validatesByOpening = validatesByOpening
        self.readAheadBytes = max(0, readAheadBytes)
        self.prefetchedFolders = max(0, prefetchedFolders)
    }
}
