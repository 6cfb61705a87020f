import FerryCore
import FerryHTTP

/// A request for a picture, which Dropbox makes in a few sizes only.
struct DropboxThumbnailRequest: Sendable, Hashable {
    private static let sizes: [(width: Int, height: Int)] = [
        (32, 32), (64, 64), (128, 128), (256, 256), (480, 320), (640, 480), (960, 640), (1_024, 768), (2_048, 1_536),
    ]

    private let format: String
    private let size: String
    private let mode: String

    /// Finds what fits best: the smallest size that is not smaller than wanted.
    ///
    /// - Parameter options: How the picture is wanted.
    init(_ options: ThumbnailOptions) {
        let width = options.width ?? options.height ?? 256
        let height = options.height ?? options.width ?? 256
        let fitting = Self.sizes.first { $0.width >= width && $0.height >= height } ?? Self.sizes[Self.sizes.count - 1]
        size = "w\(fitting.width)h\(fitting.height)"
        format = (options.format ?? .jpeg).rawValue
        mode = options.mode == .fit ? "strict" : "fitone_bestfit"
    }

    /// The media type of the picture.
    var contentType: String { "image/\(format)" }

    /// The members of the argument beside the file.
    var members: [String: JSONValue] { ["format": .text(format), "size": .text(size), "mode": .text(mode)] }
}
