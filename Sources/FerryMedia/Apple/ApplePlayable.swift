#if canImport(ImageIO) && canImport(AVFoundation) && canImport(PDFKit)
import AVFoundation
import CoreGraphics
import FerryCore
import Foundation
import ImageIO

/// Sound or a film that AVFoundation reads, which it does from files only: there is one for as long as it lives.
final class ApplePlayable: Sendable {
    /// Extensions of files that AVFoundation knows.
    static let extensions: Set<String> = ["mp3", "m4a", "aac", "wav", "aif", "aiff", "flac", "mp4", "m4v", "mov"]

    private let file: URL
    private let path: ItemPath
    private var asset: AVURLAsset { AVURLAsset(url: file) }

    init(_ data: Data, _ item: FileObject) async throws {
        path = item.path
        let name = "ferry-\(UUID().uuidString).\(item.mediaExtension)"
        file = FileManager.default.temporaryDirectory.appending(path: name)
        let file = file
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try data.write(to: file) }) }
        }
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    /// The embedded picture, else a frame at a third.
    func image(_ options: ThumbnailOptions) async throws -> CGImage {
        for item in try await asset.load(.commonMetadata) where item.commonKey == .commonKeyArtwork {
            if let data = try await item.load(.dataValue) { return try ApplePicture(data, path).image(options) }
        }
        guard try await !asset.loadTracks(withMediaType: .video).isEmpty else {
            throw CocoaError.file(.featureUnsupported, path: path, description: "there is no picture in it")
        }
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        let third = try await CMTimeMultiplyByRatio(asset.load(.duration), multiplier: 1, divisor: 3)
        return try await generator.image(at: third).image
    }

    /// The properties in the file.
    var properties: FileProperties {
        get async throws {
            var properties: [FileProperties.Property] = []
            let keys: [(AVMetadataKey, FilePropertyKey)] = [
                (.commonKeyTitle, .title), (.commonKeyArtist, .artist), (.commonKeyAlbumName, .album),
                (.commonKeyCreator, .composer), (.commonKeyCopyrights, .copyright),
            ]
            let facts = try await asset.load(.commonMetadata)
            for (known, key) in keys {
                for item in facts where item.commonKey == known {
                    if let text = try await item.load(.stringValue) { properties.append(.init(key, .text(text))) }
                }
            }
            let seconds = try await asset.load(.duration).seconds
            if seconds.isFinite { properties.append(.init(.duration, .duration(.seconds(seconds)))) }
            if let track = try await asset.loadTracks(withMediaType: .video).first {
                let size = try await track.load(.naturalSize)
                properties.append(.init(.dimensions, .size(.init(width: size.width, height: size.height))))
            }
            return FileProperties(properties)
        }
    }
}
#endif
