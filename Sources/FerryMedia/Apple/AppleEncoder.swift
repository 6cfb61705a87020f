#if canImport(ImageIO) && canImport(AVFoundation) && canImport(PDFKit)
import CoreGraphics
import FerryCore
import Foundation
import ImageIO

/// Brings pictures into their size and format.
enum AppleEncoder {
    /// By how much a picture is made smaller or larger.
    static func scale(_ size: CGSize, _ options: ThumbnailOptions, enlarges: Bool) -> CGFloat {
        let sides = [
            options.width.map { CGFloat(max(1, $0)) / max(1, size.width) },
            options.height.map { CGFloat(max(1, $0)) / max(1, size.height) },
        ].compactMap { $0 }
        let scale = (options.mode == .fit ? sides.min() : sides.max()) ?? 1
        return enlarges ? scale : min(1, scale)
    }

    /// Something to draw on.
    static func context(_ width: Int, _ height: Int) -> CGContext? {
        CGContext(
            data: nil,
            width: width,
            height: height,
            bitsPerComponent: 8,
            bytesPerRow: 0,
            space: CGColorSpaceCreateDeviceRGB(),
            bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue
        )
    }

    /// Scales, cuts off and encodes; WebP, which ImageIO only reads, becomes PNG.
    static func thumbnail(_ image: CGImage, _ options: ThumbnailOptions, _ path: ItemPath) throws -> Thumbnail {
        let size = CGSize(width: image.width, height: image.height)
        let scale = scale(size, options, enlarges: options.enlarges)
        let whole = CGSize(width: max(1, size.width * scale), height: max(1, size.height * scale))
        let isCut = options.mode == .fill
        let width = isCut ? min(options.width ?? options.height ?? 1, Int(whole.width)) : Int(whole.width)
        let height = isCut ? min(options.height ?? options.width ?? 1, Int(whole.height)) : Int(whole.height)
        guard let context = context(width, height) else { throw CocoaError.file(.fileReadTooLarge, path: path) }
        let corner = CGPoint(x: (CGFloat(width) - whole.width) / 2, y: (CGFloat(height) - whole.height) / 2)
        context.interpolationQuality = .high
        context.draw(image, in: CGRect(origin: corner, size: whole))
        let format: ThumbnailOptions.Format = options.format ?? .jpeg == .jpeg ? .jpeg : .png
        let data = NSMutableData()
        let type = (format == .jpeg ? "public.jpeg" : "public.png") as CFString
        guard let scaled = context.makeImage(),
            let destination = CGImageDestinationCreateWithData(data, type, 1, nil)
        else { throw CocoaError.file(.fileReadTooLarge, path: path) }
        CGImageDestinationAddImage(destination, scaled, nil)
        guard CGImageDestinationFinalize(destination) else { throw CocoaError.file(.fileReadUnknown, path: path) }
        return Thumbnail(data: data as Data, contentType: format.contentType, width: width, height: height)
    }
}
#endif
