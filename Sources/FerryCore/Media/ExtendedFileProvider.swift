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
}
