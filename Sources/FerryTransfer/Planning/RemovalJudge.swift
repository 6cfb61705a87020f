import FerryCore

/// Decides whether what only the target has may be removed, once everything was listed.
struct RemovalJudge: Sendable {
    /// The share of the target's items that may be removed, from 0 to 1.
    let largestPart: Double

    /// Items that may be removed, whatever part they are.
    let largestCount: Int?

    /// Items that the target has, as far as they were listed.
    var found = 0

    /// The removals so far, in order.
    private(set) var removals: [TransferAction] = []

    /// Items that would go with that, those below folders included.
    private(set) var removed = 0

    /// Indicates whether a folder of either side could not be listed.
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

    /// Brings the removals into an order that doesn't depend on that of the listings: what is in a folder before it.
    mutating func settle() {
        removals.sort { $1.path < $0.path }
    }

    /// Some of it is not removed after all, but moved.
    ///
    /// - Parameter rest: The removals that remain.
    mutating func keep(only rest: [TransferAction]) {
        removed -= removals.count - rest.count
        removals = rest
    }

    /// Indicates whether what was found may be removed.
    var isAllowed: Bool { refusal == nil }

    /// The actions in the end: the removals; or one refusal that says how many there are, and none of them.
    var verdict: [TransferAction] {
        guard !removals.isEmpty, let reason = refusal else { return removals }
        // That a folder could not be listed is told with the folder.
        let refusals =
            reason == .tooMany ? [TransferAction(.refuse, .root, .tooMany, note: "\(words), and \(limit) may be")] : []
        return refusals
            + removals.map { removal in
                var left = removal
                left.kind = .skip
                left.reason = reason
                return left
            }
    }

    private var words: String { "\(removed) of \(found) items would be removed" }

    private var limit: String {
        largestCount.map { "\($0)" } ?? "\(Int((largestPart * 100).rounded(.down))) % of them"
    }

    private var refusal: TransferAction.Reason? {
        // A folder that was not listed is not empty, whatever it looks like.
        if isIncomplete { return .incomplete }
        if let largestCount { return removed > largestCount ? .tooMany : nil }
        return Double(removed) > largestPart * Double(found) ? .tooMany : nil
    }
}
