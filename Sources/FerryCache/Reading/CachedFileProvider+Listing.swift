public import FerryCore

extension CachedFileProvider {
    /// The items of a folder: as they are kept, in one page, or page after page as the storage delivers them.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The pages; with ``CachingOptions/onlyIfCached``, they throw `URLError.resourceUnavailable` for a folder
    ///   that is not kept.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        engine.listing(of: path, ReadingPlan(options, otherwise: .unasked))
    }

    /// Returns what is known about one item: as it is kept, or as the storage says.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item.
    /// - Throws: Any error that the base throws; `URLError.resourceUnavailable` with ``CachingOptions/onlyIfCached``.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await engine.attributes(of: path, ReadingPlan(options, otherwise: .unasked))
    }

    /// Returns the storage's size and how much of it is used: as it is kept, or as the storage says.
    ///
    /// - Returns: The known properties.
    /// - Throws: Any error that the base throws; `URLError.resourceUnavailable` with ``CachingOptions/onlyIfCached``.
    public func storageProperties() async throws -> VolumeObject {
        try await engine.volume(ReadingPlan(options, otherwise: .unasked))
    }

    /// Returns whether the storage answers; `false` with ``CachingOptions/onlyIfCached``, which asks nobody.
    ///
    /// - Returns: The base's answer.
    /// - Throws: Any error that the base throws.
    public func isReachable() async throws -> Bool {
        options.contains(.onlyIfCached) ? false : try await base.isReachable()
    }

    /// Searches the storage, or with ``CachingOptions/onlyIfCached`` the listings that are kept.
    ///
    /// - Parameters:
    ///   - path: The folder to search in.
    ///   - recursive: `true` to search the folders below as well.
    ///   - query: The query to match.
    /// - Returns: Items as they are found; it throws at the first folder that is not kept.
    public func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        guard options.contains(.onlyIfCached) else {
            return base.searchFiles(path: path, recursive: recursive, query: query)
        }
        return crawl(path: path, recursive: recursive, query: query)
    }

    /// Returns the part of a query that the storage evaluates: none, with ``CachingOptions/onlyIfCached``.
    ///
    /// - Parameter query: The query.
    /// - Returns: The two parts.
    public func searchPlan(for query: FileQuery) -> FileQueryPlan {
        options.contains(.onlyIfCached) ? FileQueryPlan(query) { _ in false } : base.searchPlan(for: query)
    }
}

extension CachedFileProvider where Base: FileProviderTreeListing {
    /// All items below a folder: as they are kept, if all of them are, or as the storage delivers them.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The pages; `nil` where the base says so, and with ``CachingOptions/onlyIfCached``: then folders are to be
    ///   listed one by one.
    public func treeListing(path: ItemPath) -> DirectoryListing? {
        let plan = ReadingPlan(options, otherwise: .unasked)
        guard plan.use != .only else { return nil }
        guard let listing = base.treeListing(path: path) else { return nil }
        if plan.passesBy || path.beginsWithIdentifier { return listing }
        return DirectoryListing { [engine] in
            let pages = TreePages(engine, path, plan, listing)
            return { try await pages.next() }
        }
    }
}
