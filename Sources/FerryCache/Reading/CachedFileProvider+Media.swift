public import FerryCore

extension CachedFileProvider where Base: ExtendedFileProvider {
    /// A small picture of an item: as it is kept, or as the storage makes it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made; each way is kept for itself.
    /// - Returns: The picture.
    /// - Throws: Any error that the base throws; `URLError.resourceUnavailable` with ``CachingOptions/onlyIfCached``.
    public func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        try await thumbnail(path: path, properties: options ?? ThumbnailOptions())
    }

    /// A small picture of a file that was listed just now: whether a kept one is right, nobody is asked again.
    ///
    /// - Parameters:
    ///   - item: The file, as the storage has described it.
    ///   - options: How it is to be made; each way is kept for itself.
    /// - Returns: The picture.
    /// - Throws: As ``thumbnailOfFile(path:options:)``.
    public func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail {
        // A link's own facts say nothing of what it leads to.
        let listed = item.isRegularFile && item.size != nil ? item : nil
        return try await thumbnail(item.path, options ?? ThumbnailOptions(), listed: listed)
    }

    /// Returns what a file says about itself: as it is kept, or as the storage tells it.
    ///
    /// - Parameter path: The item.
    /// - Returns: Its properties.
    /// - Throws: Any error that the base throws; `URLError.resourceUnavailable` with ``CachingOptions/onlyIfCached``.
    public func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        let plan = ReadingPlan(options, otherwise: .unasked)
        return try await engine.derived(.metadata, of: path, variant: "", plan) { [base] in
            try await base.propertiesOfFile(path: path)
        }
    }
}
