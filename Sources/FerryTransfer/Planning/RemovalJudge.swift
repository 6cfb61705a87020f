import FerryCore

/// Decides whether what only the target has may be removed, once everything was listed.
struct RemovalJudge: Sendable {
    /// What may be removed of all that the target has, from 0 to 1.
    let largestPart: Double

    /// Items that may be removed, whatever part they are.
    let largestCount: Int?

    /// Items that the target has, as far as they were listed.
    var found = 0

    /// What would be removed, in order.
    private(set) var removals: [TransferAction] = []

    /// Items that would go with that, those below folders included.
    private(set) var removed = 0

    /// Whether a folder of either side could not be listed.
    var isIncomplete = false

    init(largestPart: Double, largestCount: Int? = nil) {
        self.largestPart = largestPart
        self.largestCount = largestCount
    }

    /// Something only the target has, or that is in the way.
    ///
    /// - Parameters:
    ///   - action: Its removal.
    ///   - count: Items that go with it, itself included.
    mutating func add(_ action: TransferAction, count: Int) {
        removals.append(action)
        removed += count
    }

    /// What is done in the end: the removals, or their refusals.
    var verdict: [TransferAction] {
        guard let reason = refusal else { return removals }
        return removals.map { removal in
            var refused = removal
            refused.kind = .refuse
            refused.reason = reason
            return refused
        }
    }

    private var refusal: TransferAction.Reason? {
        // A folder that was not listed is not empty, whatever it looks like.
        if isIncomplete { return .incomplete }
        if let largestCount { return removed > largestCount ? .tooMany : nil }
        return Double(removed) > largestPart * Double(found) ? .tooMany : nil
    }
}
