/// A few colours that stand for all of a picture's, found by cutting the space of colours where most of them are.
struct ColourPalette: Sendable {
    /// The colours.
    private(set) var colours: [Pixmap.Colour] = []

    /// Which colour stands for those that differ in their last three bits only.
    private var indices: [Int]

    /// Those of a picture's pixels that differ in their last three bits only.
    private struct Cell {
        var key = 0
        var count = 0
        var sums = [0, 0, 0]

        /// A part of the colour: 0 to 31.
        func part(_ channel: Int) -> Int { key >> (5 * (2 - channel)) & 31 }
    }

    /// Finds the colours.
    ///
    /// - Parameters:
    ///   - pixmap: The picture.
    ///   - limit: How many there may be, at least 1.
    init(_ pixmap: Pixmap, limit: Int) {
        indices = [Int](repeating: 0, count: 1 << 15)
        var cells = [Cell](repeating: Cell(), count: 1 << 15)
        for y in 0..<pixmap.height {
            for x in 0..<pixmap.width {
                guard let colour = pixmap[x, y] else { continue }
                let key = Self.key(colour)
                cells[key].key = key
                cells[key].count += 1
                cells[key].sums[0] += Int(colour.red)
                cells[key].sums[1] += Int(colour.green)
                cells[key].sums[2] += Int(colour.blue)
            }
        }
        for box in Self.cut(cells.filter { $0.count > 0 }, limit) {
            let count = box.reduce(0) { $0 + $1.count }
            let mean = (0..<3).map { channel in UInt8(box.reduce(0) { $0 + $1.sums[channel] } / count) }
            for cell in box { indices[cell.key] = colours.count }
            colours.append(Pixmap.Colour(red: mean[0], green: mean[1], blue: mean[2]))
        }
    }

    /// The colour that stands for one of the picture's.
    func index(of colour: Pixmap.Colour) -> Int { indices[Self.key(colour)] }

    private static func key(_ colour: Pixmap.Colour) -> Int {
        Int(colour.red >> 3) << 10 | Int(colour.green >> 3) << 5 | Int(colour.blue >> 3)
    }

    /// Cuts the box with the most pixels in two, again and again.
    private static func cut(_ cells: [Cell], _ limit: Int) -> [[Cell]] {
        guard !cells.isEmpty else { return [] }
        var boxes = [cells]
        while boxes.count < limit {
            let weights = boxes.map { $0.count > 1 ? $0.reduce(0) { $0 + $1.count } : 0 }
            guard let largest = weights.indices.max(by: { weights[$0] < weights[$1] }), weights[largest] > 0 else {
                break
            }
            let halves = halved(boxes[largest])
            boxes[largest] = halves.0
            boxes.append(halves.1)
        }
        return boxes
    }

    /// Two parts with as many pixels each as can be, neither being empty: cut across the longest side.
    private static func halved(_ box: [Cell]) -> ([Cell], [Cell]) {
        let extents = (0..<3).map { channel in
            let parts = box.map { $0.part(channel) }
            return (parts.max() ?? 0) - (parts.min() ?? 0)
        }
        let channel = extents.indices.max { extents[$0] < extents[$1] } ?? 0
        let sorted = box.sorted { $0.part(channel) < $1.part(channel) }
        let half = sorted.reduce(0) { $0 + $1.count } / 2
        var (count, index) = (0, 0)
        while index < sorted.count - 1, index == 0 || count + sorted[index].count <= half {
            count += sorted[index].count
            index += 1
        }
        return (Array(sorted[..<index]), Array(sorted[index...]))
    }
}
