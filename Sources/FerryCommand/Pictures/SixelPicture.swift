/// A picture as sixels: for each six rows and each colour, which of the pixels have it (DEC STD 070, chapter 9).
enum SixelPicture {
    /// The sequence that draws a picture at the cursor; what is transparent stays as it is.
    ///
    /// - Parameter pixmap: The picture.
    /// - Returns: Bytes for the terminal.
    static func bytes(_ pixmap: Pixmap) -> [UInt8] {
        let palette = ColourPalette(pixmap, limit: 255)
        var bytes = Array("\u{1B}P0;1;0q\"1;1;\(pixmap.width);\(pixmap.height)".utf8)
        for (index, colour) in palette.colours.enumerated() {
            let parts = [colour.red, colour.green, colour.blue].map { String((Int($0) * 100 + 127) / 255) }
            bytes += Array("#\(index);2;\(parts.joined(separator: ";"))".utf8)
        }
        for top in stride(from: 0, to: pixmap.height, by: 6) {
            if top > 0 { bytes.append(UInt8(ascii: "-")) }
            addBand(of: pixmap, from: top, palette, to: &bytes)
        }
        return bytes + Array("\u{1B}\\".utf8)
    }

    /// Adds six rows.
    private static func addBand(of pixmap: Pixmap, from top: Int, _ palette: ColourPalette, to bytes: inout [UInt8]) {
        var bits: [Int: [UInt8]] = [:]
        for y in top..<min(top + 6, pixmap.height) {
            for x in 0..<pixmap.width {
                guard let colour = pixmap[x, y] else { continue }
                bits[palette.index(of: colour), default: [UInt8](repeating: 0, count: pixmap.width)][x] |=
                    1 << UInt8(y - top)
            }
        }
        for (number, colour) in bits.keys.sorted().enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: "$")) }
            bytes += Array("#\(colour)".utf8)
            addRuns(bits[colour] ?? [], to: &bytes)
        }
    }

    /// Adds a row of sixels; what is repeated is counted, and nothing at its end is left out.
    private static func addRuns(_ row: [UInt8], to bytes: inout [UInt8]) {
        let end = (row.lastIndex { $0 != 0 } ?? -1) + 1
        var index = 0
        while index < end {
            let length = row[index..<end].prefix { $0 == row[index] }.count
            let letter = 63 + row[index]
            bytes += length > 3 ? Array("!\(length)".utf8) + [letter] : [UInt8](repeating: letter, count: length)
            index += length
        }
    }
}
