public import Foundation

/// How a thumbnail is to be made.
public struct ThumbnailOptions: Sendable, Hashable {
    /// How a picture of another shape goes into the size.
    public enum Mode: String, Sendable, Hashable, Codable {
        /// All of it is shown; one side may be shorter than asked.
        case fit
        /// All of the size is filled; what sticks out is cut off.
        case fill
    }

    /// Pixels from left to right, at least 1.
    public var width: Int
    /// Pixels from top to bottom, at least 1.
    public var height: Int
    /// How a picture of another shape goes into the size.
    public var mode: Mode
    /// The page of a document, from 1.
    public var page: Int

    /// Makes options.
    ///
    /// - Parameters:
    ///   - width: Pixels from left to right.
    ///   - height: Pixels from top to bottom.
    ///   - mode: How a picture of another shape goes into the size.
    ///   - page: The page of a document, from 1.
    public init(width: Int, height: Int, mode: Mode = .fit, page: Int = 1) {
        self.width = width
        self.height = height
        self.mode = mode
        self.page = page
    }
}

/// A small picture of an item.
public struct Thumbnail: Sendable, Hashable {
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

/// What a file says about itself: EXIF, ID3, document information.
public struct FileProperties: Sendable, Hashable {
    /// One property, ready to be shown.
    public struct Property: Sendable, Hashable, Codable {
        /// Its name, such as `Dimensions`.
        public let name: String
        /// Its value, such as `4032 × 3024`.
        public let value: String

        /// Makes a property.
        ///
        /// - Parameters:
        ///   - name: Its name.
        ///   - value: Its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The properties in the order in which to show them.
    public var properties: [Property]

    /// Makes a value.
    ///
    /// - Parameter properties: In the order in which to show them.
    public init(_ properties: [Property]) {
        self.properties = properties
    }

    /// The value of a property, by its name.
    public subscript(name: String) -> String? {
        properties.first { $0.name == name }?.value
    }
}

/// A storage that shows small pictures of its items, and what they say about themselves.
public protocol ExtendedFileProvider: FileProviderBasic {
    /// Whether a thumbnail can be expected, judged by the name's extension alone.
    ///
    /// - Parameter path: The item; it need not exist.
    /// - Returns: `false` if asking for one is useless.
    func thumbnailOfFileSupported(path: ItemPath) -> Bool

    /// Whether properties can be expected, judged by the name's extension alone.
    ///
    /// - Parameter path: The item; it need not exist.
    /// - Returns: `false` if asking for them is useless.
    func propertiesOfFileSupported(path: ItemPath) -> Bool

    /// A small picture of an item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made; `nil` for what the storage makes most easily.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.featureUnsupported` for a kind of file that has none.
    func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail

    /// What a file says about itself.
    ///
    /// - Parameter path: The item.
    /// - Returns: Its properties; none if it says nothing.
    /// - Throws: `CocoaError.featureUnsupported` for a kind of file that has none.
    func propertiesOfFile(path: ItemPath) async throws -> FileProperties
}
