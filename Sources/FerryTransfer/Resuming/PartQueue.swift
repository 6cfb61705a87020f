import Synchronization

/// The parts of a file that the target lacks, handed out to those who send them.
final class PartQueue: Sendable {
    private let parts: Mutex<ArraySlice<Range<Int64>>>

    /// How many there are.
    let count: Int

    /// Cuts what is missing.
    ///
    /// - Parameters:
    ///   - length: Bytes of the file.
    ///   - held: What the target has.
    ///   - partSize: Bytes of a part, at most.
    ///   - isGrid: Whether parts begin at multiples of their size: then one of which something is missing is sent whole.
    ///   - alignment: Offsets of parts are multiples of it.
    init(length: Int64, held: RangeSet<Int64>, partSize: Int64, isGrid: Bool, alignment: Int64) {
        var parts: [Range<Int64>] = []
        if isGrid {
            for start in stride(from: 0, to: length, by: Int64.Stride(partSize)) {
                let part = start..<min(start + partSize, length)
                if !held.contains(part) { parts.append(part) }
            }
        } else {
            let whole = RangeSet(0..<length)
            for gap in whole.subtracting(held).ranges {
                var start = gap.lowerBound / alignment * alignment
                while start < gap.upperBound {
                    let end = min(start + partSize, gap.upperBound)
                    parts.append(start..<end)
                    start = end
                }
            }
        }
        count = parts.count
        self.parts = Mutex(parts[...])
    }

    /// The next part; `nil` if all were handed out.
    func next() -> Range<Int64>? { parts.withLock { $0.popFirst() } }
}

extension RangeSet<Int64> {
    /// Whether all of a range is in it.
    func contains(_ range: Range<Int64>) -> Bool { ranges.contains { $0.contains(range) } }

    /// How many there are.
    var total: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }
}
