/// The options by which a thumbnail is made.
public struct ThumbnailOptions: Sendable, Hashable, Codable {
    /// The way in which a picture of another shape is fitted into the size.
    public enum Mode: String, Sendable, Hashable, Codable {
        /// All of it is shown; one side may be shorter than asked.
        case fit
        /// All of the size is filled; what sticks out is cut off.
        case fill
    }

    /// The encoding of the picture.
    public enum Format: String, Sendable, Hashable, Codable, CaseIterable {
        /// Small for photos; transparent parts become white.
        case jpeg
        /// Without losses, with transparency.
        case png
        /// Smaller than either, with transparency.
        case webP = "webp"

        /// The media type, such as `image/jpeg`.
        public var contentType: String { "image/\(rawValue)" }
    }

    /// Pixels from left to right, at least 1; `nil` for what follows from the height, or the storage's own size.
    public var width: Int?
    /// Pixels from top to bottom, at least 1; `nil` for what follows from the width, or the storage's own size.
    public var height: Int?
    /// The way in which a picture of another shape is fitted into the size.
    public var mode: Mode
    /// The page of a document, from 1.
    public var page: Int
    /// The encoding of the picture; `nil` for what suits it.
    ///
    /// A storage that makes thumbnails itself may know but one.
    public var format: Format?
    /// Indicates whether a picture that is smaller than the size is enlarged.
    public var enlarges: Bool

    /// Makes options.
    ///
    /// Without width and height the storage chooses the size. With one of them, the other follows from the picture's
    /// shape if all of it is shown, and is the same if the size is filled.
    ///
    /// - Parameters:
    ///   - width: Pixels from left to right.
    ///   - height: Pixels from top to bottom.
    ///   - mode: How a picture of another shape goes into the size.
    ///   - page: The page of a document, from 1.
    ///   - format: How the picture is encoded; `nil` for what suits it.
    ///   - enlarges: `true` if a picture that is smaller than the size is enlarged.
    public init(
        width: Int? = nil,
        height: Int? = nil,
        mode: Mode = .fit,
        page: Int = 1,
        format: Format? = nil,
        enlarges: Bool = false
    ) {
        self.width = width
        self.height = height
        self.mode = mode
        self.page = page
        self.format = format
        self.enlarges = enlarges
    }

    /// Indicates whether the storage is to choose the size.
    public var hasNoSize: Bool { width == nil && height == nil }
}
