/// A provider that makes thumbnails of what it has listed without asking again what it is.
package protocol ListedItemPicturing: ExtendedFileProvider {
    /// A small picture of a file that was listed.
    ///
    /// - Parameters:
    ///   - item: The file, as its storage has just described it.
    ///   - options: How it is to be made; `nil`, or without a size, for what the storage makes most easily.
    /// - Returns: The picture.
    /// - Throws: As `thumbnailOfFile(path:options:)`.
    func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail
}
