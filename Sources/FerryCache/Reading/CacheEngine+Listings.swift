import FerryCore

extension CacheEngine {
    /// The items of a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - plan: What the cache has to do with it.
    /// - Returns: The pages, in one if they are kept.
    func listing(of path: ItemPath, _ plan: ReadingPlan) -> DirectoryListing {
        // By identifier, nobody could tell which listing a change by path concerns.
        if plan.passesBy || (path.isIdentifier && plan.use != .only) { return base.directoryListing(path: path) }
        return DirectoryListing {
            let pages = FolderPages(self, path, plan)
            return { try await pages.next() }
        }
    }

    /// What is kept of a folder's items.
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
    /// - Parameter path: The folder.
    /// - Returns: `nil` where it tells nothing.
    /// - Throws: What keeps it from being asked for.
    func folderToCompare(_ path: ItemPath) async throws -> FileObject? {
        guard showsBelow else { return nil }
        let item = try await attributesFromStorage(of: path, keeps: true)
        return item.isDirectory ? item : nil
    }

    /// Keeps the items of a folder, and forgets what they show to be gone or another.
    ///
    /// - Parameters:
    ///   - items: All items.
    ///   - path: The folder.
    ///   - folder: What the folder was, right before they were asked for.
    ///   - mark: When they were asked for.
    func keep(_ items: [FileObject], of path: ItemPath, folder: FileObject?, asked mark: CacheMark) async {
        await forgetWhatChanged(in: path, now: items)
        spellings?.note(path)
        let version = CacheVersion(eTag: showsBelow ? folder?.eTag : nil)
        await account.keep(items, .listing, path, version: version, asked: mark)
        prefetcher?.opened(path, items, self)
    }

    private func forgetWhatChanged(in path: ItemPath, now items: [FileObject]) async {
        guard let before = await account.value(.listing, path, as: [FileObject].self)?.value else { return }
        for removal in CacheRemoval.removals(between: before, and: items) {
            await account.remove(removal.path, below: removal.below, kinds: removal.kinds)
        }
    }
}

extension CacheRemoval {
    /// What has to be forgotten when a folder's items are others than before.
    ///
    /// - Parameters:
    ///   - before: The items that were kept.
    ///   - now: The items that have come.
    /// - Returns: What has gone, with all below it, and what has another version.
    static func removals(between before: [FileObject], and now: [FileObject]) -> [CacheRemoval] {
        let found = Dictionary(now.map { ($0.path, $0) }) { $1 }
        return before.compactMap { old in
            let path = old.path
            guard let new = found[path], new.type == old.type, new.id == old.id || new.id == nil || old.id == nil
            else { return CacheRemoval(path: path, below: true, kinds: Set(CacheKind.allCases)) }
            if new.isDirectory {
                // What is in it shows when it is listed; its own date may be another for nothing.
                return new == old ? nil : CacheRemoval(path: path, kinds: [.attributes])
            }
            let isSame = CacheVersion(new).isSame(as: CacheVersion(old)) && !new.isFresh && !old.isFresh
            if isSame { return new == old ? nil : CacheRemoval(path: path, kinds: [.attributes]) }
            return CacheRemoval(path: path, kinds: Set(CacheKind.allCases))
        }
    }
}
