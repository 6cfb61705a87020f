import FerryCore
import Foundation

/// The work that waits: what was begun before first, then in the order of arrival, or in one that was asked for.
struct WorkQueue {
    /// Something to be done, and how often it was tried.
    struct Item: Sendable {
        var action: TransferAction
        var trial = RetryState.Trial()
        /// Indicates whether an earlier try came as far as to change something, so that it may be done.
        var wasBegun = false
        /// The ledger's item that counts it, once it has begun.
        var item: TransferLedger.Item?
        /// The new files that it comes with, if it is one of several.
        var coming: ComingFiles?
        /// How often it was done, and was not there afterwards.
        var sendings = 0
        /// The work that was done already, all but the removal of the original.
        var remains: ActionPerformer.SourceRemains?
    }

    private let order: TransferOrder?
    private let place: TransferPlace
    /// The last one first.
    private var again: [Item] = []
    /// The next items, the last one first: of all the others no more is held than what is to be done.
    private var ready: [Item] = []
    /// The actions that arrived together, in order of arrival.
    private var arrived: [ArraySlice<TransferAction>] = []
    /// All that arrived, if there is an order: a heap, the first one at its top.
    private var heap: [TransferAction] = []
    /// How many there are in `arrived` and `heap`.
    private var waiting = 0

    /// The largest number of items that were waiting at the same time.
    private(set) var peak = 0

    /// Makes an empty one.
    ///
    /// - Parameters:
    ///   - order: The order; `nil` for the order of arrival.
    ///   - place: Where it is done: new files are announced there.
    init(order: TransferOrder?, to place: TransferPlace) {
        self.order = order
        self.place = place
    }

    var count: Int { again.count + ready.count + waiting }

    var isEmpty: Bool { count == 0 }

    /// Adds what is new.
    mutating func append(_ new: [TransferAction]) {
        if new.isEmpty { return }
        waiting += new.count
        if order == nil {
            arrived.append(new[...])
        } else {
            for action in new {
                heap.append(action)
                rise(heap.count - 1)
            }
        }
        peak = max(peak, count)
    }

    /// Adds what has to be done again.
    mutating func prepend(_ item: Item) {
        again.append(item)
        peak = max(peak, count)
    }

    /// Returns what comes next.
    mutating func peek() -> Item? {
        if let item = again.last { return item }
        if ready.isEmpty { makeReady() }
        return ready.last
    }

    /// Takes out what comes next.
    mutating func popFirst() -> Item? {
        if let item = again.popLast() { return item }
        if ready.isEmpty { makeReady() }
        return ready.popLast()
    }

    /// Gets as many ready as can be announced together; what arrives later comes after these, whatever the order.
    private mutating func makeReady() {
        var next: [TransferAction] = []
        if order != nil {
            while next.count < ComingFiles.most, let action = popTop() { next.append(action) }
        } else if let first = arrived.first {
            next = Array(first.prefix(ComingFiles.most))
            if next.count == first.count { arrived.removeFirst() } else { arrived[0] = first.dropFirst(next.count) }
        }
        waiting -= next.count
        ready = place.works(next).reversed()
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
    ///   - first: The item that was taken out before.
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
        while taken.count < most, let next = peek(), next.action.kind == first.action.kind,
            let more = size(next), bytes + more <= Int64(limits.byteCount), let item = popFirst()
        {
            bytes += more
            taken.append(item)
        }
        return taken
    }

    // MARK: The heap

    private func precedes(_ first: Int, _ second: Int) -> Bool {
        order?.precedes(heap[first], heap[second]) ?? false
    }

    private mutating func popTop() -> TransferAction? {
        if heap.isEmpty { return nil }
        heap.swapAt(0, heap.count - 1)
        let action = heap.popLast()
        var index = 0
        while true {
            let left = 2 * index + 1
            guard left < heap.count else { return action }
            let least = left + 1 < heap.count && precedes(left + 1, left) ? left + 1 : left
            guard precedes(least, index) else { return action }
            heap.swapAt(index, least)
            index = least
        }
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0, precedes(index, (index - 1) / 2) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }
}

extension TransferPlace {
    /// Returns what is to be done here, with the new files of each folder announced together to who records them.
    ///
    /// - Parameter actions: The actions to be done.
    /// - Returns: The same, in the same order.
    func works(_ actions: [TransferAction]) -> [WorkQueue.Item] {
        var works = actions.map { WorkQueue.Item(action: $0) }
        // Files are recorded under their paths from the root: those below an identifier would not be recognised.
        if top.beginsWithIdentifier { return works }
        // No more is held than is needed: there may be very many that wait.
        var open: [(index: Int, path: ItemPath, size: Int64, modifiedDate: Date?)] = []
        func close() {
            guard open.count > 1 else { return }
            let facts = open
            let files = ComingFiles { [self] in
                facts.map { .init(path: path($0.path), size: $0.size, modifiedDate: $0.modifiedDate) }
            }
            for file in facts { works[file.index].coming = files }
        }
        for (index, action) in actions.enumerated() {
            guard action.kind == .add, let file = action.source, file.isRegularFile, let size = file.size else {
                continue
            }
            if open.count == ComingFiles.most || open.last?.path.parent != action.path.parent {
                close()
                open = []
            }
            open.append((index, action.path, size, file.modifiedDate))
        }
        close()
        return works
    }
}
