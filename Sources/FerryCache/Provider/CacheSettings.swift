/// Settings of a caching provider: what it does before anybody asks.
public struct CacheSettings: Sendable, Hashable {
    /// Bytes that are read on, at most, where a file is read part by part in order; 0 for none.
    public var readAheadBytes: Int64

    /// Folders that are listed, at most, when a folder is opened: those that a person is likely to open next; 0 for none.
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
