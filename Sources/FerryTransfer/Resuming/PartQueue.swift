import Synchronization

/// The parts of a file that the target lacks, handed out to those who send them.
///
/// They are cut when they are asked for: a file whose storage lies about its length costs nothing.
final class PartQueue: Sendable {
    private struct State {
        /// The ranges that are missing and were not handed out yet.
        var gaps: ArraySlice<Range<Int64>>
        /// Where the last part ended.
        var position: Int64 = 0
    }

    private let length: Int64
    private let partSize: Int64
    private let isGrid: Bool
    private let alignment: Int64
    private let state: Mutex<State>

    /// Prepares to cut what is missing.
    ///
    /// - Parameters:
    ///   - length: Bytes of the file.
    ///   - held: The ranges that the target has.
    ///   - partSize: Bytes of a part, at most; a multiple of the alignment.
    ///   - isGrid: `true` if parts begin at multiples of their size: then one of which something is missing is sent
    ///     whole.
    ///   - alignment: Offsets of parts are multiples of it.
    init(length: Int64, held: RangeSet<Int64>, partSize: Int64, isGrid: Bool, alignment: Int64) {
        self.length = length
        self.partSize = max(1, partSize)
        self.isGrid = isGrid
        self.alignment = isGrid ? max(1, partSize) : max(1, alignment)
        state = Mutex(State(gaps: RangeSet(0..<max(0, length)).subtracting(held).ranges.map(\.self)[...]))
    }

    /// The next part; `nil` if all were handed out.
    func next() -> Range<Int64>? {
        state.withLock { state in
            while let gap = state.gaps.first {
                let start = max(state.position, gap.lowerBound / alignment * alignment)
                let limit = isGrid ? length : gap.upperBound
                guard start < gap.upperBound else {
                    state.gaps.removeFirst()
                    continue
                }
                let end = limit - start > partSize ? start + partSize : limit
                state.position = isGrid ? end : 0
                if end >= gap.upperBound {
                    state.gaps.removeFirst()
                } else {
                    state.gaps[state.gaps.startIndex] = end..<gap.upperBound
                }
                return start..<end
            }
            return nil
        }
    }
}

extension RangeSet<Int64> {
    /// Returns whether all of a range is in it.
    func contains(_ range: Range<Int64>) -> Bool { ranges.contains { $0.contains(range) } }

    /// How many there are.
    var total: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }
}
