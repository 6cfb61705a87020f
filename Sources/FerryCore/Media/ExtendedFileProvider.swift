/// A storage that shows small pictures of its items, and what they say about themselves.
public protocol ExtendedFileProvider: FileProviderBasic {
    /// Returns whether a thumbnail can be expected, judged by the name's extension alone.
    ///
    /// - Parameter path: The item; it need not exist.
    /// - Returns: `false` if asking for one is useless.
    func thumbnailOfFileSupported(path: ItemPath) -> Bool

    /// Returns whether properties can be expected, judged by the name's extension alone.
    ///
    /// - Parameter path: The item; it need not exist.
    /// - Returns: `false` if asking for them is useless.
    func propertiesOfFileSupported(path: ItemPath) -> Bool

    /// A small picture of an item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made; `nil`, or without a size, for what the storage makes most
    ///     easily.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.featureUnsupported` for a kind of file that has none.
    func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail

    /// A small picture of a file that was listed, of which some storages need not ask again what it is.
    ///
    /// - Parameters:
    ///   - item: The file, as its storage has just described it.
    ///   - options: How it is to be made; `nil`, or without a size, for what the storage makes most easily.
    /// - Returns: The picture; by default that of ``thumbnailOfFile(path:options:)``.
    /// - Throws: As ``thumbnailOfFile(path:options:)``.
    func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail

    /// Returns small pictures of many files, with few requests where the storage can.
    ///
    /// Each picture is that of ``thumbnailOfFile(path:options:)``, and fails with the same errors. A file that has none
    /// keeps no other from its picture. The same path may be there several times. Cancelling the task ends the call.
    ///
    /// Dropbox makes 25 pictures with a request, OneDrive gives the addresses of 20. By default, each picture is asked
    /// for by itself, as many at the same time as ``FileProviderCapabilities/recommendedConcurrency`` says.
    ///
    /// All pictures are in memory when the call ends: ask for as many at a time as are needed at a time.
    ///
    /// - Parameters:
    ///   - paths: Any number of files.
    ///   - options: How each picture is to be made; `nil`, or without a size, for what the storage makes most easily.
    /// - Returns: For each path, in the same order, the picture or the error of ``thumbnailOfFile(path:options:)``.
    /// - Throws: `CancellationError`; an error that keeps all pictures from being made, such as a refused login.
    func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>]

    /// Returns small pictures of many files that were listed, of which some storages need not ask again what they are.
    ///
    /// - Parameters:
    ///   - items: Any number of files, as their storage has just described them.
    ///   - options: How each picture is to be made; `nil`, or without a size, for what the storage makes most easily.
    /// - Returns: For each file, in the same order, the picture or the error of ``thumbnail(of:options:)``. By default,
    ///   each is asked for by itself, as by ``thumbnailsOfFiles(paths:options:)``.
    /// - Throws: As ``thumbnailsOfFiles(paths:options:)``.
    func thumbnailsOfFiles(
        listed items: [FileObject],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>]

    /// Returns what a file says about itself.
    ///
    /// - Parameter path: The item.
    /// - Returns: Its properties; none if it says nothing.
    /// - Throws: `CocoaError.featureUnsupported` for a kind of file that has none.
    func propertiesOfFile(path: ItemPath) async throws -> FileProperties
}

extension ExtendedFileProvider {
    /// Asks for the picture by the item's path.
    public func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail {
        try await thumbnailOfFile(path: item.path, options: options)
    }

    /// Asks for each picture by itself, for several at the same time.
    public func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await resultsInParallel(paths, concurrency: capabilities.recommendedConcurrency) {
            try await thumbnailOfFile(path: $0, options: options)
        }
    }

    /// Asks for each picture by itself, for several at the same time.
    public func thumbnailsOfFiles(
        listed items: [FileObject],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await resultsInParallel(items, concurrency: capabilities.recommendedConcurrency) {
            try await thumbnail(of: $0, options: options)
        }
    }
}
