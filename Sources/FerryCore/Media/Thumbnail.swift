public import Foundation

/// A small picture of an item.
public struct Thumbnail: Sendable, Hashable, Codable {
    /// The encoded picture.
    public let data: Data
    /// Its media type: `image/jpeg`, `image/png`, `image/webp`.
    public let contentType: String
    /// Pixels from left to right; `nil` if not known.
    public let width: Int?
    /// Pixels from top to bottom; `nil` if not known.
    public let height: Int?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - data: The encoded picture.
    ///   - contentType: Its media type.
    ///   - width: Pixels from left to right.
    ///   - height: Pixels from top to bottom.
    public init(data: Data, contentType: String, width: Int? = nil, height: Int? = nil) {
        self.data = data
        self.contentType = contentType
        self.width = width
        self.height = height
    }
}
