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

    /// Returns what a file says about itself.
    ///
    /// - Parameter path: The item.
    /// - Returns: Its properties; none if it says nothing.
    /// - Throws: `CocoaError.featureUnsupported` for a kind of file that has none.
    func propertiesOfFile(path: ItemPath) async throws -> FileProperties
}
