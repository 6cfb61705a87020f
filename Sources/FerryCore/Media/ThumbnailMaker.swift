public import Foundation

/// Something that makes thumbnails on this machine, for storages that have none of a file.
///
/// Give one to what shows pictures; it decides by the item alone whether it can do something with it.
public protocol ThumbnailMaker: Sendable {
    /// Returns whether a thumbnail of an item can be expected.
    ///
    /// - Parameter item: The item, as its storage describes it.
    /// - Returns: `false` if its contents need not be fetched.
    func makesThumbnails(of item: FileObject) -> Bool

    /// Makes a thumbnail.
    ///
    /// - Parameters:
    ///   - source: The item, and a way to its contents.
    ///   - options: How it is to be made; without a size, as large as the maker finds good.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.featureUnsupported` for a file that it can do nothing with; what reading throws.
    func thumbnail(of source: ThumbnailSource, options: ThumbnailOptions) async throws -> Thumbnail
}

/// The source of a thumbnail: an item, and its contents as far as they are wanted.
public struct ThumbnailSource: Sendable {
    /// The item, as its storage describes it.
    public let item: FileObject

    private let read: @Sendable (ByteRange) async throws -> Data

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - read: Reads a part of its contents.
    public init(item: FileObject, read: @escaping @Sendable (ByteRange) async throws -> Data) {
        self.item = item
        self.read = read
    }

    /// Reads contents.
    ///
    /// - Parameter range: The part; a picture in a photo's header needs no more than its beginning.
    /// - Returns: The bytes, fewer if the file ends before.
    /// - Throws: Any error that reading from the storage throws.
    public func contents(in range: ByteRange = .all) async throws -> Data {
        try await read(range)
    }
}
