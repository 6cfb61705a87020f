#if canImport(ImageIO) && canImport(AVFoundation) && canImport(PDFKit)
import CoreGraphics
import FerryCore
import Foundation
import ImageIO

/// A picture that ImageIO reads.
struct ApplePicture {
    private let source: CGImageSource
    private let path: ItemPath

    init(_ data: Data, _ path: ItemPath) throws {
        guard let source = CGImageSourceCreateWithData(data as CFData, nil), CGImageSourceGetCount(source) > 0 else {
            throw CocoaError.file(.fileReadCorruptFile, path: path, description: "it is damaged")
        }
        self.source = source
        self.path = path
    }

    /// A smaller picture, upright, that is at least as large as asked.
    func image(_ options: ThumbnailOptions) throws -> CGImage {
        let facts: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: largestSide(options),
        ]
        guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, facts as CFDictionary) else {
            throw CocoaError.file(.fileReadCorruptFile, path: path, description: "it is damaged")
        }
        return image
    }

    /// The longer side that the picture must have, so that its shorter one fills the size if that is wanted.
    private func largestSide(_ options: ThumbnailOptions) -> Int {
        let wanted = max(options.width ?? 1, options.height ?? 1)
        guard options.mode == .fill, let facts, let width = facts[kCGImagePropertyPixelWidth] as? Int,
            let height = facts[kCGImagePropertyPixelHeight] as? Int, min(width, height) > 0
        else { return wanted }
        return wanted * max(width, height) / min(width, height) + 1
    }

    private var facts: [CFString: Any]? {
        CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
    }

    /// The properties in the picture.
    var properties: FileProperties {
        guard let facts else { return FileProperties([]) }
        let tiff = facts[kCGImagePropertyTIFFDictionary] as? [CFString: Any] ?? [:]
        let exif = facts[kCGImagePropertyExifDictionary] as? [CFString: Any] ?? [:]
        var properties: [FileProperties.Property] = []
        func add(_ key: FilePropertyKey, _ value: FilePropertyValue?) {
            if let value { properties.append(.init(key, value)) }
        }
        if let width = facts[kCGImagePropertyPixelWidth] as? Double,
            let height = facts[kCGImagePropertyPixelHeight] as? Double
        {
            add(.dimensions, .size(.init(width: width, height: height)))
        }
        add(.deviceMaker, (tiff[kCGImagePropertyTIFFMake] as? String).map { .text($0) })
        add(.deviceModel, (tiff[kCGImagePropertyTIFFModel] as? String).map { .text($0) })
        add(.lens, (exif[kCGImagePropertyExifLensModel] as? String).map { .text($0) })
        add(.artist, (tiff[kCGImagePropertyTIFFArtist] as? String).map { .text($0) })
        add(.copyright, (tiff[kCGImagePropertyTIFFCopyright] as? String).map { .text($0) })
        add(.colorSpace, (facts[kCGImagePropertyColorModel] as? String).map { .text($0) })
        add(.colorDepth, (facts[kCGImagePropertyDepth] as? Int64).map { .integer($0) })
        add(.colorProfile, (facts[kCGImagePropertyProfileName] as? String).map { .text($0) })
        add(.focalLength, (exif[kCGImagePropertyExifFocalLength] as? Double).map { .decimal($0) })
        add(.fNumber, (exif[kCGImagePropertyExifFNumber] as? Double).map { .decimal($0) })
        add(.exposureTime, (exif[kCGImagePropertyExifExposureTime] as? Double).map { .decimal($0) })
        add(.isoSpeed, (exif[kCGImagePropertyExifISOSpeedRatings] as? [Int64])?.first.map { .integer($0) })
        return FileProperties(properties)
    }
}
#endif
