import CZlib
import Foundation

@testable import FerryCommand

/// Writes PNG of any of the kinds that are read, with every filter in turn.
enum TestPNG {
    /// A picture with smooth colours, a transparent corner, and single pixels.
    static func pixmap(_ width: Int, _ height: Int, isOpaque: Bool = true) throws -> Pixmap {
        var samples: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let isClear = !isOpaque && x < width / 3 && y < height / 3
                samples += [
                    UInt8(x * 255 / max(1, width - 1)), UInt8(y * 255 / max(1, height - 1)),
                    UInt8((x ^ y) & 0xFF), isClear ? 0 : 255,
                ]
            }
        }
        guard let pixmap = Pixmap(width: width, height: height, samples: samples) else {
            throw CocoaError(.fileReadUnknown)
        }
        return pixmap
    }

    /// The picture as a PNG with four samples a pixel, or with those that a colour type has.
    static func data(_ pixmap: Pixmap, colourType: UInt8 = 6, bits: UInt8 = 8) -> Data {
        let channels: [Int] =
            switch colourType {
            case 0: [0]
            case 2: [0, 1, 2]
            case 4: [0, 3]
            default: [0, 1, 2, 3]
            }
        let pixels = stride(from: 0, to: pixmap.samples.count, by: 4).map { start in
            channels.flatMap { channel in
                let sample = pixmap.samples[start + channel]
                return bits == 16 ? [sample, 7] : [sample]
            }
        }
        let rows = (0..<pixmap.height).map { y in pixels[(y * pixmap.width)..<((y + 1) * pixmap.width)].flatMap { $0 } }
        let length = channels.count * Int(bits) / 8
        var filtered: [UInt8] = []
        for (y, row) in rows.enumerated() {
            let above = y > 0 ? rows[y - 1] : [UInt8](repeating: 0, count: row.count)
            filtered += [UInt8(y % 5)] + filter(row, above, length, y % 5)
        }
        return file(
            header: number(pixmap.width) + number(pixmap.height) + [bits, colourType, 0, 0, 0],
            chunks: [("IDAT", packed(filtered))]
        )
    }

    /// A file of chunks.
    static func file(header: [UInt8], chunks: [(String, [UInt8])]) -> Data {
        let all = [("IHDR", header)] + chunks + [("IEND", [])]
        return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + all.flatMap { chunk($0.0, $0.1) })
    }

    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(UInt(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        compress2(&packed, &length, bytes, UInt(bytes.count), 6)
        return Array(packed.prefix(Int(length)))
    }

    static func number(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

    private static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + contents
        return number(contents.count) + named + number(Int(crc32(0, named, UInt32(named.count))))
    }

    private static func filter(_ row: [UInt8], _ above: [UInt8], _ length: Int, _ kind: Int) -> [UInt8] {
        row.indices.map { x in
            let left = x >= length ? Int(row[x - length]) : 0
            let corner = x >= length ? Int(above[x - length]) : 0
            let up = Int(above[x])
            let guess = left + up - corner
            let nearest = [left, up, corner].min { abs(guess - $0) < abs(guess - $1) } ?? 0
            let expected = [0, left, up, (left + up) / 2, nearest][kind]
            return row[x] &- UInt8(truncatingIfNeeded: expected)
        }
    }
}
