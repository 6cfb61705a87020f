/// A decoded picture: red, green, blue and opacity of each pixel, row by row.
struct Pixmap: Sendable, Hashable {
    /// Pixels from left to right, at least 1.
    let width: Int
    /// Pixels from top to bottom, at least 1.
    let height: Int
    /// Four bytes for each pixel.
    let samples: [UInt8]

    /// Pixels that a picture may have: more than any that is drawn.
    static let largest = 1 << 24

    /// Makes a picture.
    ///
    /// - Parameters:
    ///   - width: Pixels from left to right.
    ///   - height: Pixels from top to bottom.
    ///   - samples: Four bytes for each pixel.
    init?(width: Int, height: Int, samples: [UInt8]) {
        guard width > 0, height > 0, width <= Self.largest / height, samples.count == 4 * width * height else {
            return nil
        }
        self.width = width
        self.height = height
        self.samples = samples
    }

    /// A pixel's colour.
    struct Colour: Sendable, Hashable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
    }

    /// A pixel's colour; `nil` where what is behind shines through.
    ///
    /// - Parameters:
    ///   - x: Pixels from the left, within the picture.
    ///   - y: Pixels from the top; below the picture there is nothing.
    subscript(x: Int, y: Int) -> Colour? {
        guard y < height else { return nil }
        let index = 4 * (y * width + x)
        guard samples[index + 3] >= 128 else { return nil }
        return Colour(red: samples[index], green: samples[index + 1], blue: samples[index + 2])
    }

    /// The picture in another size, each pixel being the mean of those that it stands for.
    ///
    /// - Parameters:
    ///   - newWidth: Pixels from left to right, at least 1.
    ///   - newHeight: Pixels from top to bottom, at least 1.
    /// - Returns: The picture.
    func scaled(to newWidth: Int, _ newHeight: Int) -> Pixmap {
        guard newWidth != width || newHeight != height, newWidth > 0, newHeight > 0 else { return self }
        var scaled: [UInt8] = []
        scaled.reserveCapacity(4 * newWidth * newHeight)
        for y in 0..<newHeight {
            let rows = Self.span(y, of: newHeight, over: height)
            for x in 0..<newWidth {
                scaled += mean(Self.span(x, of: newWidth, over: width), rows)
            }
        }
        return Pixmap(width: newWidth, height: newHeight, samples: scaled) ?? self
    }

    /// The old pixels that a new one stands for: at least one.
    private static func span(_ index: Int, of new: Int, over old: Int) -> Range<Int> {
        let start = index * old / new
        return start..<max(start + 1, (index + 1) * old / new)
    }

    /// The mean of a rectangle; what is transparent has no colour that counts.
    private func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> [UInt8] {
        var sums = (0, 0, 0, 0)
        for y in rows {
            for x in columns {
                let index = 4 * (y * width + x)
                let opacity = Int(samples[index + 3])
                sums.0 += Int(samples[index]) * opacity
                sums.1 += Int(samples[index + 1]) * opacity
                sums.2 += Int(samples[index + 2]) * opacity
                sums.3 += opacity
            }
        }
        guard sums.3 > 0 else { return [0, 0, 0, 0] }
        let half = sums.3 / 2
        return [
            UInt8((sums.0 + half) / sums.3), UInt8((sums.1 + half) / sums.3), UInt8((sums.2 + half) / sums.3),
            UInt8(sums.3 / (rows.count * columns.count)),
        ]
    }
}
