import FerryCrypto

/// Pictures that stand for the thumbnails that the real service would draw.
enum PicturePlaceholder {
    /// Makes a white PNG picture of one bit a pixel.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    /// - Returns: The file.
    static func png(width: Int, height: Int) -> [UInt8] {
        let row = [UInt8](repeating: 0xFF, count: (width + 7) / 8)
        var pixels: [UInt8] = []
        for _ in 0..<height { pixels += [0] + row }
        let header = big(width) + big(height) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", stored(pixels)) + chunk("IEND", [])
    }

    /// A white JPEG picture of one pixel.
    static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xFF, 0xDB, 0, 67, 0]
        + [UInt8](repeating: 1, count: 64)
        + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
        // Huffman tables of one code each: no difference of brightness, and the end of a block.
        + [0xFF, 0xC4, 0, 20, 0, 1] + [UInt8](repeating: 0, count: 15) + [0x0B]
        + [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0x00]
        + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0, 0x7F, 0xCF, 0xFF, 0xD9]

    /// A WebP picture of one pixel, without loss.
    static let webp: [UInt8] =
        Array("RIFF".utf8) + [26, 0, 0, 0] + Array("WEBPVP8L".utf8) + [13, 0, 0, 0]
        + [0x2F, 0, 0, 0, 0x10, 7, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 7, 0]

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        return big(data.count) + content + HashAlgorithm.crc32.hash(content)
    }

    /// Returns bytes in the zlib format (RFC 1950), stored as they are.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            for number in [length, ~length] { result += [UInt8(number & 0xFF), UInt8(number >> 8)] }
            result += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return result + big(Int(high << 16 | low))
    }
}
