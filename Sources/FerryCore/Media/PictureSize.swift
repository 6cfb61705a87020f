package import Foundation

/// The size of a picture in pixels, from the first bytes of a PNG, JPEG, WebP or GIF.
package struct PictureSize: Sendable, Hashable {
    /// Pixels from left to right.
    package let width: Int
    /// Pixels from top to bottom.
    package let height: Int

    /// Reads a picture.
    ///
    /// - Parameter data: The picture.
    package init?(_ data: Data) {
        let bytes = [UInt8](data.prefix(64 << 10))
        guard let size = Self.png(bytes) ?? Self.webP(bytes) ?? Self.gif(bytes) ?? Self.jpeg(bytes), size.0 > 0,
            size.1 > 0
        else {
            return nil
        }
        (width, height) = size
    }

    /// PNG, third edition, §5.2 and §11.2.1.
    private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            return nil
        }
        return (number(bytes[16..<20]), number(bytes[20..<24]))
    }

    /// ITU-T T.81 §B.2.2: the frame header, whichever of its markers it has.
    private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var index = 2
        while index + 9 <= bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return (number(bytes[(index + 7)..<(index + 9)]), number(bytes[(index + 5)..<(index + 7)]))
            }
            index += 2 + number(bytes[(index + 2)..<(index + 4)])
        }
        return nil
    }

    /// RFC 9649 §2.5 to §2.7: lossy, lossless, extended.
    private static func webP(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 30, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12] == Array("WEBP".utf8)[...] else {
            return nil
        }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8 ":
            return (
                number([bytes[27], bytes[26]][...]) & 0x3FFF, number([bytes[29], bytes[28]][...]) & 0x3FFF
            )
        case "VP8L":
            let bits = number([bytes[24], bytes[23], bytes[22], bytes[21]][...])
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case "VP8X":
            return (
                number([bytes[26], bytes[25], bytes[24]][...]) + 1, number([bytes[29], bytes[28], bytes[27]][...]) + 1
            )
        default: return nil
        }
    }

    /// GIF89a, §18: the logical screen.
    private static func gif(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 10, bytes.starts(with: Array("GIF8".utf8)) else { return nil }
        return (number([bytes[7], bytes[6]][...]), number([bytes[9], bytes[8]][...]))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
