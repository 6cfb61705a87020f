import FerryCore
import Foundation

/// A picture in the simplest of formats, PPM: what can be scaled without a library.
struct Pixmap: Hashable {
    let width: Int
    let height: Int
    /// Red, green and blue of each pixel, row by row.
    let samples: [UInt8]

    /// A picture whose colours differ everywhere, and with the seed.
    init(width: Int, height: Int, seed: Int) {
        self.width = width
        self.height = height
        samples = (0..<height).flatMap { y in
            (0..<width).flatMap { x in
                [
                    UInt8(truncatingIfNeeded: x + seed), UInt8(truncatingIfNeeded: y * 3),
                    UInt8(truncatingIfNeeded: seed),
                ]
            }
        }
    }

    private init(width: Int, height: Int, samples: [UInt8]) {
        self.width = width
        self.height = height
        self.samples = samples
    }

    /// Reads `P6`, a width, a height, 255, and the samples.
    init?(_ data: Data) {
        let words = data.prefix(32).split(maxSplits: 4, omittingEmptySubsequences: false) { $0 == 10 || $0 == 32 }
        let header = words.prefix(4).map { String(decoding: $0, as: UTF8.self) }
        guard header.count == 4, header[0] == "P6", let width = Int(header[1]), let height = Int(header[2]) else {
            return nil
        }
        let start = header.reduce(0) { $0 + $1.utf8.count + 1 }
        guard data.count == start + 3 * width * height else { return nil }
        self.init(width: width, height: height, samples: Array(data.dropFirst(start)))
    }

    /// The picture as a file.
    var data: Data { Data("P6\n\(width) \(height)\n255\n".utf8) + Data(samples) }

    /// The picture in another size, by its nearest pixels; 8 × 8 where no size is asked for.
    func scaled(_ options: ThumbnailOptions) -> Pixmap {
        let wanted = options.hasNoSize ? ThumbnailOptions(width: 8, height: 8, mode: options.mode) : options
        let (across, down) = (
            wanted.width.map { Double($0) / Double(width) }, wanted.height.map { Double($0) / Double(height) }
        )
        let factor: Double
        switch wanted.mode {
        case .fit: factor = min(across ?? .infinity, down ?? .infinity)
        case .fill: factor = max(across ?? 0, down ?? 0)
        }
        let whole = (Int((Double(width) * factor).rounded()), Int((Double(height) * factor).rounded()))
        let size =
            wanted.mode == .fit ? whole : (wanted.width ?? wanted.height ?? 1, wanted.height ?? wanted.width ?? 1)
        let corner = ((whole.0 - size.0) / 2, (whole.1 - size.1) / 2)
        let pixels = (0..<size.1).flatMap { y in
            (0..<size.0).flatMap { x in
                let from = (
                    min(width - 1, Int(Double(x + corner.0) / factor)),
                    min(height - 1, Int(Double(y + corner.1) / factor))
                )
                return samples[(3 * (from.1 * width + from.0))...].prefix(3)
            }
        }
        return Pixmap(width: size.0, height: size.1, samples: pixels)
    }

    /// The picture as a thumbnail.
    var thumbnail: Thumbnail {
        Thumbnail(data: data, contentType: "image/x-portable-pixmap", width: width, height: height)
    }
}

/// Makes thumbnails of PPM files on this machine.
struct PixmapMaker: ThumbnailMaker {
    func makesThumbnails(of item: FileObject) -> Bool { item.name.hasSuffix(".ppm") }

    func thumbnail(of source: ThumbnailSource, options: ThumbnailOptions) async throws -> Thumbnail {
        guard let pixmap = Pixmap(try await source.contents()) else {
            throw CocoaError.unsupported("a thumbnail of what is no PPM", path: source.item.path)
        }
        return pixmap.scaled(options).thumbnail
    }
}
