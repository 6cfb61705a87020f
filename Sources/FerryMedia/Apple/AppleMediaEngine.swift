#if canImport(ImageIO) && canImport(AVFoundation) && canImport(PDFKit)
public import FerryCore
import Foundation
import ImageIO

/// The decoders of Apple's systems: ImageIO for pictures, PDFKit for documents, AVFoundation for sound and films.
///
/// They read whole files, which are fetched into memory; the system's own decoders run in this process.
public struct AppleMediaEngine: MediaEngine {
    /// Makes an engine.
    public init() {}

    /// Pictures, PDF, sound that has a picture embedded, films.
    public var thumbnailExtensions: Set<String> {
        Self.pictures.union(ApplePlayable.extensions).union(["pdf"])
    }

    /// The same files.
    public var propertyExtensions: Set<String> { thumbnailExtensions }

    private static let pictures: Set<String> = [
        "jpg", "jpeg", "png", "gif", "tif", "tiff", "webp", "heic", "heif", "avif", "bmp",
    ]

    /// Bytes that a file may have.
    private static let most = 512 << 20

    /// Makes a thumbnail.
    ///
    /// - Parameters:
    ///   - source: The file, which is read as a whole.
    ///   - options: How it is to be made; without a size, within 256 × 256 pixels.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.featureUnsupported`, `.fileReadCorruptFile`, `.fileReadTooLarge`; what reading throws.
    public func thumbnail(of source: MediaSource, options: ThumbnailOptions) async throws -> Thumbnail {
        let options = options.hasNoSize ? options.sized(MediaGenerator.usualSide) : options
        let data = try await contents(source)
        let image =
            switch source.item.mediaExtension {
            case "pdf": try ApplePDF(data, source.item.path).image(options)
            case let name where ApplePlayable.extensions.contains(name):
                try await ApplePlayable(data, source.item).image(options)
            default: try ApplePicture(data, source.item.path).image(options)
            }
        return try AppleEncoder.thumbnail(image, options, source.item.path)
    }

    /// Reads what a file says about itself.
    ///
    /// - Parameter source: The file, which is read as a whole.
    /// - Returns: Its properties.
    /// - Throws: As ``thumbnail(of:options:)``.
    public func properties(of source: MediaSource) async throws -> FileProperties {
        let data = try await contents(source)
        return switch source.item.mediaExtension {
        case "pdf": try ApplePDF(data, source.item.path).properties
        case let name where ApplePlayable.extensions.contains(name):
            try await ApplePlayable(data, source.item).properties
        default: try ApplePicture(data, source.item.path).properties
        }
    }

    private func contents(_ source: MediaSource) async throws -> Data {
        guard source.item.size ?? 0 <= Self.most else {
            throw CocoaError.file(.fileReadTooLarge, path: source.item.path, description: "it has more than 512 MiB")
        }
        return try await source.contents()
    }
}
#endif
