public import FerryCore
public import Foundation

extension AccountCache {
    /// The entries that are kept.
    ///
    /// - Parameters:
    ///   - path: An item; it and all below it show.
    ///   - kinds: Of what kinds.
    /// - Returns: The entries, in the order of paths, kinds and variants.
    public func entries(
        below path: ItemPath = .root,
        kinds: Set<CacheKind> = Set(CacheKind.allCases)
    ) -> CacheEntries {
        store.entries(of: account, below: path, kinds: kinds)
    }

    /// The contents that can be read without the storage, all or in parts.
    ///
    /// - Parameter path: An item; it and all below it show.
    /// - Returns: The entries, in the order of paths.
    public func offlineContents(below path: ItemPath = .root) -> CacheEntries {
        entries(below: path, kinds: [.contents])
    }

    /// Returns what is kept of one item's contents.
    ///
    /// - Parameter path: The item.
    /// - Returns: Offsets in order, upper bounds excluded; none if nothing is kept.
    public func keptRanges(of path: ItemPath) async -> [Range<Int64>] {
        await contents(path)?.ranges ?? []
    }

    /// A file that holds an item's whole contents.
    ///
    /// It is the cache's: it is not to be changed, and may be gone at any time, though who has it open can go on reading.
    /// All of its bytes are read once and their checksums compared.
    ///
    /// - Parameter path: The item.
    /// - Returns: The file's URL; `nil` if not all is kept in a file.
    public func contentsURL(of path: ItemPath) async -> URL? {
        let key = CacheKey(account, path, .contents)
        await store.learn()
        guard let disk = store.disk, let file = await CacheThreads.run({ disk.wholeFile(key) }) else { return nil }
        await store.note(key)
        return URL(filePath: file, directoryHint: .notDirectory)
    }

    /// Forgets what is kept of one item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - kinds: Of what kinds.
    public func removeItem(_ path: ItemPath, kinds: Set<CacheKind> = Set(CacheKind.allCases)) async {
        await remove(path, below: false, kinds: kinds)
    }

    /// Forgets what is kept of a folder and all below it.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - kinds: Of what kinds.
    public func removeFolder(_ path: ItemPath, kinds: Set<CacheKind> = Set(CacheKind.allCases)) async {
        await remove(path, below: true, kinds: kinds)
    }

    /// Forgets what is kept for the account.
    ///
    /// - Parameter kinds: Of what kinds.
    public func removeAll(kinds: Set<CacheKind> = Set(CacheKind.allCases)) async {
        await remove(.root, below: true, kinds: kinds)
    }
}
