/// A job for the program on one file.
package enum MediaJob: Sendable, Hashable {
    /// Make a small picture of it.
    case thumbnail(ThumbnailJob)
    /// Tell what it says about itself.
    case properties(PropertiesJob)

    /// The size of the file in bytes.
    package var size: Int64 {
        switch self {
        case .thumbnail(let job): job.size
        case .properties(let job): job.size
        }
    }

    /// The extension of its name, without a dot.
    package var extensionHint: String {
        switch self {
        case .thumbnail(let job): job.extensionHint
        case .properties(let job): job.extensionHint
        }
    }
}

/// A small picture to be made of a file.
package struct ThumbnailJob: Sendable, Hashable {
    /// The way in which a picture of another shape is fitted into the size.
    package enum Mode: UInt8, Sendable, Hashable, CaseIterable {
        /// All of it is shown; one side may be shorter than asked.
        case fit
        /// All of the size is filled; what sticks out is cut off, the same on both sides.
        case fill
    }

    /// The extension of the file's name, without a dot, which is believed only where the content says nothing.
    package var extensionHint: String
    /// The size of the file in bytes.
    package var size: Int64
    /// Pixels from left to right, from 1 to 16,384.
    package var width: Int
    /// Pixels from top to bottom, from 1 to 16,384.
    package var height: Int
    /// The way in which a picture of another shape is fitted into the size.
    package var mode: Mode
    /// Indicates whether a picture smaller than asked is enlarged.
    ///
    /// If it isn't, one that is to fill the size keeps the size's shape.
    package var enlarges: Bool
    /// The format in which the small picture is encoded.
    package var format: PictureFormat
    /// From 1 to 100, for JPEG and WebP.
    package var quality: Int
    /// The page of a document, from 1.
    package var page: Int
    /// The place in a video at which the picture is taken, from 0 to 1; `nil` for a third.
    package var position: Double?

    /// Makes a job.
    ///
    /// - Parameters:
    ///   - extensionHint: The extension of the file's name, without a dot.
    ///   - size: The size of the file in bytes.
    ///   - width: Pixels from left to right.
    ///   - height: Pixels from top to bottom.
    ///   - mode: How a picture of another shape goes into the size.
    ///   - enlarges: `true` if a picture smaller than asked is enlarged.
    ///   - format: The format in which the small picture is encoded.
    ///   - quality: From 1 to 100.
    ///   - page: The page of a document, from 1.
    ///   - position: Where in a video the picture is taken, from 0 to 1.
    package init(
        extensionHint: String = "",
        size: Int64,
        width: Int,
        height: Int,
        mode: Mode = .fit,
        enlarges: Bool = false,
        format: PictureFormat = .jpeg,
        quality: Int = 80,
        page: Int = 1,
        position: Double? = nil
    ) {
        self.extensionHint = extensionHint
        self.size = size
        self.width = width
        self.height = height
        self.mode = mode
        self.enlarges = enlarges
        self.format = format
        self.quality = quality
        self.page = page
        self.position = position
    }
}

/// Properties to be read from a file.
package struct PropertiesJob: Sendable, Hashable {
    /// The extension of the file's name, without a dot, which is believed only where the content says nothing.
    package var extensionHint: String
    /// The size of the file in bytes.
    package var size: Int64

    /// Makes a job.
    ///
    /// - Parameters:
    ///   - extensionHint: The extension of the file's name, without a dot.
    ///   - size: The size of the file in bytes.
    package init(extensionHint: String = "", size: Int64) {
        self.extensionHint = extensionHint
        self.size = size
    }
}

/// The formats in which a small picture can be encoded.
package enum PictureFormat: UInt8, Sendable, Hashable, CaseIterable {
    /// Without transparency: it becomes white.
    case jpeg
    /// Exact.
    case png
    /// Small.
    case webp

    /// Its media type.
    package var contentType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        }
    }
}
