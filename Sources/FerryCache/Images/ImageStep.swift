public import FerryCore
public import Foundation

/// The state of a picture that is being loaded.
public enum ImageStep: Sendable, Hashable {
    /// A thumbnail that was kept, to be shown until the picture is there; not known to be outdated.
    case preview(Thumbnail)

    /// The picture itself: the file's contents.
    case full(ImageContents)

    /// The encoded picture.
    public var data: Data {
        switch self {
        case .preview(let thumbnail): thumbnail.data
        case .full(let contents): contents.data
        }
    }

    /// Indicates whether it is the picture itself, after which nothing follows.
    public var isFull: Bool {
        if case .full = self { true } else { false }
    }
}

/// The contents of a file that is a picture.
public struct ImageContents: Sendable, Hashable {
    /// The file's contents.
    public let data: Data
    /// The media type, as far as the storage or the name says; `nil` if neither does.
    public let contentType: String?
    /// Pixels from left to right; `nil` if not known.
    public let width: Int?
    /// Pixels from top to bottom; `nil` if not known.
    public let height: Int?

    /// Makes a value; the size is read from PNG, JPEG, WebP and GIF.
    ///
    /// - Parameters:
    ///   - data: The file's contents.
    ///   - contentType: The media type.
    public init(data: Data, contentType: String?) {
        self.data = data
        self.contentType = contentType
        let size = PictureSize(data)
        width = size?.width
        height = size?.height
    }
}
