public import FerryCore
public import Foundation

/// A picture as it comes: a kept thumbnail, if there is one, then the picture itself.
///
/// Nothing is asked for before it is read. Leaving the loop after the preview spares the picture.
public struct ImageSteps: AsyncSequence, Sendable {
    /// The state of the picture by then.
    public typealias Element = ImageStep
    /// The reason why the picture can't be read.
    public typealias Failure = any Error

    let preview: @Sendable () async -> Thumbnail?
    let full: @Sendable () async throws -> ImageContents

    /// Starts anew.
    ///
    /// - Returns: An iterator before the preview.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(steps: self)
    }

    /// Goes step by step.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum Next {
            case preview, full, nothing
        }

        private let steps: ImageSteps
        private var upcoming = Next.preview

        fileprivate init(steps: ImageSteps) {
            self.steps = steps
        }

        /// The next step.
        ///
        /// - Returns: The preview, or the picture; `nil` after that.
        /// - Throws: The error that keeps the picture from being read.
        public mutating func next() async throws -> ImageStep? {
            if upcoming == .preview {
                upcoming = .full
                if let thumbnail = await steps.preview() { return .preview(thumbnail) }
            }
            guard upcoming == .full else { return nil }
            upcoming = .nothing
            return .full(try await steps.full())
        }
    }
}

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

/// The preview that is shown of a picture until all of it is there.
public enum ImagePreview: Sendable, Hashable {
    /// Nothing.
    case none
    /// The best thumbnail that is in memory: it is there at once.
    case memoryOnly
    /// The best thumbnail that is in memory or on the disk.
    case diskAllowed
    /// The thumbnail that was made just so, if it is in memory or on the disk.
    case specific(ThumbnailOptions)
}
