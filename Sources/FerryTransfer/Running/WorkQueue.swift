import FerryCore

/// What waits to be done: what was begun before first, then in the order of arrival, or in one that was asked for.
struct WorkQueue {
    /// Something to be done, and how often it was tried.
    struct Item: Sendable {
        var action: TransferAction
        var trial = Patience.Trial()
        /// Whether an earlier try came as far as to change something, so that it may be done.
        var wasBegun = false
        /// What counts it, once it has begun.
        var item: TransferLedger.Item?
        /// The new files that it comes with, if it is one of several.
        var coming: ComingFiles?
        /// What was done already, all but the removal of the original.
        var remains: ActionPerformer.SourceRemains?
    }

    private let order: TransferOrder?
    private var again: [Item] = []
    /// In order of arrival from `head` on; or a heap, the first one at its top.
    private var items: [Item] = []
    private var head = 0

    /// What was waiting at most at the same time.
    private(set) var peak = 0

    init(order: TransferOrder?) {
        self.order = order
    }

    var count: Int { again.count + items.count - head }

    var isEmpty: Bool { count == 0 }

    /// What comes next.
    var first: Item? { again.last ?? (head < items.count ? items[head] : nil) }

    /// Adds what is new.
    mutating func append(_ new: some Sequence<Item>) {
        for item in new {
            items.append(item)
            if order != nil { rise(items.count - 1) }
        }
        peak = max(peak, count)
    }

    /// Adds what has to be done again.
    mutating func prepend(_ item: Item) {
        again.append(item)
        peak = max(peak, count)
    }

    /// Takes out what comes next.
    mutating func popFirst() -> Item? {
        if let item = again.popLast() { return item }
        guard head < items.count else { return nil }
        if order != nil { return popTop() }
        let item = items[head]
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1024, head * 2 > items.count {
            items.removeFirst(head)
            head = 0
        }
        return item
    }

    /// How many go together while so many wait: a few long groups would leave connections idle.
    ///
    /// - Parameters:
    ///   - lanes: Groups that may be under way at the same time, at least 1.
    ///   - most: Pieces of work in a group at most, the one that was taken already among them.
    /// - Returns: At least one.
    func share(of lanes: Int, upTo most: Int) -> Int {
        min(most, max(1, (count + 1) / (2 * lanes)))
    }

    /// Takes out what comes next, for as long as it can go together.
    ///
    /// - Parameters:
    ///   - first: What was taken out before.
    ///   - limits: Bytes together at most.
    ///   - most: Pieces of work at most, the first among them.
    ///   - size: Bytes of one; `nil` for what goes by itself.
    /// - Returns: The first, and what goes with it.
    mutating func takeMore(
        after first: Item,
        _ limits: BulkLimits,
        most: Int,
        size: (Item) -> Int64?
    ) -> [Item] {
        var taken = [first]
        guard var bytes = size(first) else { return taken }
        while taken.count < most, let next = self.first, next.action.kind == first.action.kind,
            let more = size(next), bytes + more <= Int64(limits.byteCount), let item = popFirst()
        {
            bytes += more
            taken.append(item)
        }
        return taken
    }

    // MARK: The heap

    private func precedes(_ first: Int, _ second: Int) -> Bool {
        order?.precedes(items[first].action, items[second].action) ?? false
    }

    private mutating func popTop() -> Item? {
        items.swapAt(0, items.count - 1)
        let item = items.popLast()
        var index = 0
        while true {
            let left = 2 * index + 1
            guard left < items.count else { return item }
            let least = left + 1 < items.count && precedes(left + 1, left) ? left + 1 : left
            guard precedes(least, index) else { return item }
            items.swapAt(index, least)
            index = least
        }
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0, precedes(index, (index - 1) / 2) {
            items.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }
}
