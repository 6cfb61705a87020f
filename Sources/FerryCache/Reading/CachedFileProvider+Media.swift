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

    /// Small pictures of many files: as they are kept; the others with one call of the storage's.
    ///
    /// Of a file that it hasn't listed before, the storage is asked whether a kept picture is right.
    ///
    /// - Parameters:
    ///   - paths: Any number of files.
    ///   - options: How each picture is to be made; each way is kept for itself.
    /// - Returns: For each path, in the same order, the picture or the error of ``thumbnailOfFile(path:options:)``.
    /// - Throws: `CancellationError`; an error of the base that keeps all pictures from being made.
    public func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await thumbnails(paths, options ?? ThumbnailOptions())
    }

    /// Small pictures of many files that were listed just now: whether kept ones are right, nobody is asked again.
    ///
    /// The others come with one call of the storage's for those of which facts are known, and one for the rest.
    ///
    /// - Parameters:
    ///   - items: Any number of files, as the storage has described them.
    ///   - options: How each picture is to be made; each way is kept for itself.
    /// - Returns: For each file, in the same order, the picture or the error of ``thumbnail(of:options:)``.
    /// - Throws: As ``thumbnailsOfFiles(paths:options:)``.
    public func thumbnailsOfFiles(
        listed items: [FileObject],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        // A link's own facts say nothing of what it leads to.
        let listed = items.map { $0.isRegularFile && $0.size != nil ? $0 : nil }
        return try await thumbnails(items.map(\.path), options ?? ThumbnailOptions(), listed: listed)
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
