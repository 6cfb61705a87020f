import FerryCore

extension CacheEngine {
    /// The items of a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - plan: The plan that says how the cache is used.
    /// - Returns: The pages, in one if they are kept.
    func listing(of path: ItemPath, _ plan: ReadingPlan) -> DirectoryListing {
        // By identifier, nobody could tell which listing a change by path concerns.
        if plan.passesBy || (path.beginsWithIdentifier && plan.use != .only) {
            return base.directoryListing(path: path)
        }
        return DirectoryListing {
            let pages = FolderPages(self, path, plan)
            return { try await pages.next() }
        }
    }

    /// Returns what is kept of a folder's items.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - tag: The eTag that the folder must have had then; `nil` for any.
    /// - Returns: `nil` if it is not kept.
    func keptListing(of path: ItemPath, with tag: String? = nil) async -> [FileObject]? {
        guard let kept = await account.value(.listing, path, as: [FileObject].self) else { return nil }
        spellings?.note(path)
        guard let tag else { return kept.value }
        guard kept.version.eTag == tag else { return nil }
        await account.revalidated(.listing, path)
        return kept.value
    }

    /// The folder itself, where its eTag tells whether anything in it has changed.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - keeps: `true` if what is said of it is kept.
    /// - Returns: `nil` where it tells nothing.
    /// - Throws: The error that keeps it from being asked for.
    func folderToCompare(_ path: ItemPath, keeps: Bool) async throws -> FileObject? {
        guard showsBelow else { return nil }
        let item = try await attributesFromStorage(of: path, keeps: keeps)
        return item.isDirectory ? item : nil
    }

    /// Keeps the items of a folder, and forgets what they show to be gone or another.
    ///
    /// - Parameters:
    ///   - items: All items.
    ///   - path: The folder.
    ///   - folder: The folder as it was right before they were asked for.
    ///   - mark: When they were asked for.
    ///   - prefetches: `true` if folders are listed that are likely to be opened next.
    func keep(
        _ items: ListedItems,
        of path: ItemPath,
        folder: FileObject?,
        asked mark: CacheMark,
        prefetches: Bool
    ) async {
        spellings?.note(path)
        let version = CacheVersion(eTag: showsBelow ? folder?.eTag : nil)
        await account.keep(listing: items, of: path, version: version, asked: mark)
        if prefetches, let prefetcher, let items = items.items(in: path) { prefetcher.opened(path, items, self) }
    }
}

extension CacheRemoval {
    /// Returns what has to be forgotten of a folder's items when it was listed.
    ///
    /// - Parameters:
    ///   - kept: The kept answers about them.
    ///   - before: The items that the last listing showed.
    ///   - now: The items that have come.
    /// - Returns: The removals of items that have gone, or are others, with all below them; and of what is kept of
    ///   another version.
    static func removals(of kept: [KeptChild], before: [FileObject], now: [FileObject]) -> [CacheRemoval] {
        let paths = Set(kept.map(\.path))
        let found = Dictionary(now.lazy.filter { paths.contains($0.path) }.map { ($0.path, $0) }) { $1 }
        let known = Dictionary(before.lazy.filter { paths.contains($0.path) }.map { ($0.path, $0) }) { $1 }
        return kept.compactMap { child in
            guard let item = found[child.path], child.canBe(item), known[child.path].map({ !item.isOther($0) }) ?? true
            else { return CacheRemoval(path: child.path, below: true, kinds: Set(CacheKind.allCases)) }
            let kinds = child.parts.filter { part in
                // The listing says the same, and later. What is in a folder shows when that is listed.
                if part.kind == .attributes { return true }
                let version = CacheVersion(item, hasChecksums: true)
                return !item.isDirectory && (item.isFresh || !version.isSame(as: part.version))
            }.map(\.kind)
            return kinds.isEmpty ? nil : CacheRemoval(path: child.path, kinds: Set(kinds))
        }
    }
}

extension KeptChild {
    /// Returns whether what is kept can be of such an item.
    fileprivate func canBe(_ item: FileObject) -> Bool {
        let kinds = Set(parts.map(\.kind))
        return item.isDirectory
            ? kinds.isDisjoint(with: [.contents, .thumbnail, .metadata]) : !hasBelow && !kinds.contains(.listing)
    }
}

extension FileObject {
    /// Returns whether it is another item than the one that was there, beyond doubt.
    fileprivate func isOther(_ before: FileObject) -> Bool {
        if type != before.type { return true }
        guard let id, let other = before.id else { return false }
        return id != other
    }
}
