/// A picture of half blocks: each letter is two pixels, one above the other.
enum BlockPicture {
    /// Draws a picture.
    ///
    /// - Parameters:
    ///   - pixmap: A pixel for each column, two for each row.
    ///   - hasAllColours: `true` if any colour can be shown; else the 256 of xterm.
    /// - Returns: Lines that begin and end in the terminal's own colours.
    static func lines(_ pixmap: Pixmap, hasAllColours: Bool) -> [String] {
        stride(from: 0, to: pixmap.height, by: 2).map { y in
            var line = ""
            var last = ""
            for x in 0..<pixmap.width {
                let (upper, lower) = (pixmap[x, y], pixmap[x, y + 1])
                let (letter, front, back) =
                    switch (upper, lower) {
                    case (nil, nil): (" ", nil as Pixmap.Colour?, nil as Pixmap.Colour?)
                    case (nil, let lower?): ("▄", lower, nil)
                    case (let upper?, let lower): ("▀", upper, lower)
                    }
                let codes = [
                    front.map { code($0, "38", hasAllColours) } ?? "39",
                    back.map { code($0, "48", hasAllColours) } ?? "49",
                ].joined(separator: ";")
                if codes != last { line += "\u{1B}[\(codes)m" }
                line += letter
                last = codes
            }
            return line + "\u{1B}[0m"
        }
    }

    private static func code(_ colour: Pixmap.Colour, _ layer: String, _ hasAllColours: Bool) -> String {
        hasAllColours ? "\(layer);2;\(colour.red);\(colour.green);\(colour.blue)" : "\(layer);5;\(index(of: colour))"
    }

    /// The steps of each colour in xterm's cube of 216.
    private static let steps = [0, 95, 135, 175, 215, 255]

    /// The nearest of xterm's 256 colours: of the cube, or of the 24 greys.
    static func index(of colour: Pixmap.Colour) -> Int {
        let parts = [colour.red, colour.green, colour.blue].map { Int($0) }
        let nearest = parts.map { part in steps.indices.min { abs(steps[$0] - part) < abs(steps[$1] - part) } ?? 0 }
        let grey = min(23, max(0, (parts.reduce(0, +) / 3 - 3) / 10))
        let distance = { (shown: [Int]) in zip(shown, parts).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
        let inGrey = distance([Int](repeating: 8 + 10 * grey, count: 3))
        return inGrey < distance(nearest.map { steps[$0] })
            ? 232 + grey : 16 + 36 * nearest[0] + 6 * nearest[1] + nearest[2]
    }
}
