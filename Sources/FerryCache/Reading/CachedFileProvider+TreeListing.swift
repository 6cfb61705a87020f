public import FerryCore

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
        if plan.passesBy || path.isIdentifier { return listing }
        return DirectoryListing { [engine] in
            let pages = TreePages(engine, path, plan, listing)
            return { try await pages.next() }
        }
    }
}
