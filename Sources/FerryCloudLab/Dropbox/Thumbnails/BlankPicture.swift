import FerryCrypto

/// White pictures of any size: the lab decodes no file, so that all of its thumbnails look alike.
enum BlankPicture {
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

    /// Makes a white JPEG picture in greys.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    /// - Returns: The file.
    static func jpeg(width: Int, height: Int) -> [UInt8] {
        let size = [height, width].flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        var scan = BitWriter()
        // The first block: a difference of brightness of 11 bits, and no more; all others have the same brightness.
        scan.append(0b10, count: 2)
        scan.append(2035, count: 11)
        scan.append(0, count: 1)
        for _ in 1..<max(2, (width + 7) / 8 * ((height + 7) / 8) + 1) { scan.append(0, count: 2) }
        return [
            0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xFF, 0xDB, 0, 67, 0,
        ]
            + [UInt8](repeating: 1, count: 64) + [0xFF, 0xC0, 0, 11, 8] + size + [1, 1, 0x11, 0]
            // Huffman tables: `0` for no difference, `10` for one of 11 bits; `0` for the end of a block.
            + [0xFF, 0xC4, 0, 21, 0, 1, 1] + [UInt8](repeating: 0, count: 14) + [0, 11]
            + [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0] + scan.finish() + [0xFF, 0xD9]
    }

    /// Makes a WebP picture of one colour, without loss.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    /// - Returns: The file.
    static func webp(width: Int, height: Int) -> [UInt8] {
        // 14 bits each, and a bit that says that the picture has an alpha channel.
        let header = UInt32(width - 1) | UInt32(height - 1) << 14 | 1 << 28
        return Array("RIFF".utf8) + [26, 0, 0, 0] + Array("WEBPVP8L".utf8) + [13, 0, 0, 0, 0x2F]
            + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: header >> $0) }
            // Codes of one symbol each, which take no bits in the picture.
            + [7, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 7, 0]
    }

    /// Bits of a JPEG scan, the highest first.
    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var bits: UInt32 = 0
        private var count = 0

        mutating func append(_ value: UInt32, count added: Int) {
            bits = bits << UInt32(added) | value
            count += added
            while count >= 8 {
                let byte = UInt8(truncatingIfNeeded: bits >> UInt32(count - 8))
                // A byte of ones would begin a marker.
                bytes += byte == 0xFF ? [0xFF, 0] : [byte]
                count -= 8
            }
        }

        mutating func finish() -> [UInt8] {
            // Ones fill the last byte.
            if count > 0 { append(UInt32(1) << UInt32(8 - count) - 1, count: 8 - count) }
            return bytes
        }
    }

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
