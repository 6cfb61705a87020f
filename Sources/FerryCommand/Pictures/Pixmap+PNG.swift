import CZlib
import Foundation

extension Pixmap {
    /// Reads a PNG (third edition) that is not interlaced and has 8 or 16 bits a sample, as thumbnails have.
    ///
    /// - Parameter data: The picture; what is damaged, or larger than what is ever drawn, is none.
    init?(png data: Data) {
        let bytes = [UInt8](data)
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
        var header: Header?
        var palette: [UInt8] = []
        var opacities: [UInt8] = []
        var packed: [UInt8] = []
        var index = 8
        while index + 12 <= bytes.count {
            let length = bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - index - 12 else { return nil }
            let contents = bytes[(index + 8)..<(index + 8 + length)]
            switch String(decoding: bytes[(index + 4)..<(index + 8)], as: UTF8.self) {
            case "IHDR": header = Header(Array(contents))
            case "PLTE": palette = Array(contents)
            case "tRNS": opacities = Array(contents)
            case "IDAT": packed += contents
            default: break
            }
            index += 12 + length
        }
        guard let header, let rows = Self.unpacked(packed, count: header.height * (1 + header.rowLength)),
            let samples = header.unfiltered(rows),
            let colours = header.colours(samples, palette: palette, opacities: opacities)
        else { return nil }
        self.init(width: header.width, height: header.height, samples: colours)
    }

    /// Returns what zlib packed, if it is just so much.
    private static func unpacked(_ packed: [UInt8], count: Int) -> [UInt8]? {
        var stream = z_stream()
        guard ferry_inflate_init(&stream, 15) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var packed = packed
        var unpacked = [UInt8](repeating: 0, count: count)
        let left: UInt32? = packed.withUnsafeMutableBufferPointer { input in
            unpacked.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                let status = inflate(&stream, Z_FINISH)
                return status == Z_STREAM_END || status == Z_BUF_ERROR ? stream.avail_out : nil
            }
        }
        return left == 0 ? unpacked : nil
    }

    /// The first chunk.
    private struct Header {
        let width: Int
        let height: Int
        let bytesPerSample: Int
        let colourType: UInt8

        init?(_ bytes: [UInt8]) {
            guard bytes.count == 13, [8, 16].contains(bytes[8]), bytes[10...12].allSatisfy({ $0 == 0 }),
                [0, 2, 3, 4, 6].contains(bytes[9])
            else { return nil }
            width = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
            height = bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
            bytesPerSample = Int(bytes[8]) / 8
            colourType = bytes[9]
            guard width > 0, height > 0, width <= Pixmap.largest / height else { return nil }
        }

        var samplesPerPixel: Int {
            switch colourType {
            case 2: 3
            case 4: 2
            case 6: 4
            default: 1
            }
        }

        var pixelLength: Int { samplesPerPixel * bytesPerSample }
        var rowLength: Int { width * pixelLength }

        /// §9: each row says by its first byte what its bytes are differences from.
        func unfiltered(_ rows: [UInt8]) -> [UInt8]? {
            var samples = [UInt8](repeating: 0, count: height * rowLength)
            for y in 0..<height {
                let filter = rows[y * (1 + rowLength)]
                guard filter <= 4 else { return nil }
                for x in 0..<rowLength {
                    let index = y * rowLength + x
                    let left = x >= pixelLength ? samples[index - pixelLength] : 0
                    let above = y > 0 ? samples[index - rowLength] : 0
                    let corner = x >= pixelLength && y > 0 ? samples[index - rowLength - pixelLength] : 0
                    let expected =
                        switch filter {
                        case 1: left
                        case 2: above
                        case 3: UInt8((Int(left) + Int(above)) / 2)
                        case 4: Self.paeth(left, above, corner)
                        default: UInt8(0)
                        }
                    samples[index] = rows[y * (1 + rowLength) + 1 + x] &+ expected
                }
            }
            return samples
        }

        private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
            let guess = Int(left) + Int(above) - Int(corner)
            let (toLeft, toAbove, toCorner) = (
                abs(guess - Int(left)), abs(guess - Int(above)), abs(guess - Int(corner))
            )
            if toLeft <= toAbove, toLeft <= toCorner { return left }
            return toAbove <= toCorner ? above : corner
        }

        /// Four bytes for each pixel, of samples of whatever kind.
        func colours(_ samples: [UInt8], palette: [UInt8], opacities: [UInt8]) -> [UInt8]? {
            var colours: [UInt8] = []
            colours.reserveCapacity(4 * width * height)
            for pixel in stride(from: 0, to: samples.count, by: pixelLength) {
                // Of two bytes, the first says nearly all.
                let sample = { samples[pixel + $0 * bytesPerSample] }
                switch colourType {
                case 0: colours += [sample(0), sample(0), sample(0), 255]
                case 2: colours += [sample(0), sample(1), sample(2), 255]
                case 4: colours += [sample(0), sample(0), sample(0), sample(1)]
                case 6: colours += [sample(0), sample(1), sample(2), sample(3)]
                default:
                    let index = Int(sample(0))
                    guard 3 * index + 2 < palette.count else { return nil }
                    colours += palette[(3 * index)..<(3 * index + 3)]
                    colours.append(index < opacities.count ? opacities[index] : 255)
                }
            }
            return colours
        }
    }
}
