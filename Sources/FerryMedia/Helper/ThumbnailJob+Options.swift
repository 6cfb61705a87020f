import FerryCore
import FerryMediaWire

extension ThumbnailJob {
    /// Pixels that a side may have.
    private static let largestSide = 16_384

    /// Says in the program's words what is wanted.
    ///
    /// - Parameters:
    ///   - options: The options of the thumbnail.
    ///   - item: The file.
    ///   - size: Bytes of the file.
    init(_ options: ThumbnailOptions, of item: FileObject, size: Int64) {
        let options = options.hasNoSize ? options.sized(MediaGenerator.usualSide) : options
        let (width, height) =
            switch options.mode {
            // The other side follows from the picture's shape.
            case .fit: (options.width ?? Self.largestSide, options.height ?? Self.largestSide)
            case .fill: (options.width ?? options.height ?? 1, options.height ?? options.width ?? 1)
            }
        self.init(
            extensionHint: item.mediaExtension,
            size: size,
            width: min(max(1, width), Self.largestSide),
            height: min(max(1, height), Self.largestSide),
            mode: options.mode == .fit ? .fit : .fill,
            enlarges: options.enlarges,
            format: PictureFormat(options.format ?? Self.usualFormat(item.mediaExtension)),
            page: min(max(1, options.page), Int(Int32.max))
        )
    }

    /// Returns what may be transparent stays so; photos take less room as JPEG.
    private static func usualFormat(_ name: String) -> ThumbnailOptions.Format {
        ["png", "gif", "svg", "svgz", "webp", "ico"].contains(name) ? .png : .jpeg
    }
}

extension PictureFormat {
    fileprivate init(_ format: ThumbnailOptions.Format) {
        self =
            switch format {
            case .jpeg: .jpeg
            case .png: .png
            case .webP: .webp
            }
    }
}
