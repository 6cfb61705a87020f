/// The middle of a few samples, and how far they spread.
struct Statistics: Sendable {
    let median: Double
    let minimum: Double
    let maximum: Double

    /// Summarises samples; `nil` if there is none.
    init?(_ samples: [Double]) {
        let sorted = samples.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let middle = sorted.count / 2
        self.median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        self.minimum = first
        self.maximum = last
    }
}
