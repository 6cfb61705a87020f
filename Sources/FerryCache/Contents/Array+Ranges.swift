extension [Range<Int64>] {
    /// Adds a range that begins where the last one ends, or behind it.
    mutating func append(joining range: Range<Int64>) {
        guard !range.isEmpty else { return }
        if let last, last.upperBound >= range.lowerBound {
            self[count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
        } else {
            append(range)
        }
    }

    /// Returns what these ranges, in order and disjoint, leave out of another.
    func gaps(in range: Range<Int64>) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var position = range.lowerBound
        for kept in self where kept.upperBound > position {
            if kept.lowerBound >= range.upperBound { break }
            if kept.lowerBound > position { gaps.append(position..<kept.lowerBound) }
            position = kept.upperBound
        }
        if position < range.upperBound { gaps.append(position..<range.upperBound) }
        return gaps
    }

    /// Returns whether all of a range is in one of these, which are in order and disjoint.
    func covers(_ range: Range<Int64>) -> Bool {
        range.isEmpty || contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
    }
}
