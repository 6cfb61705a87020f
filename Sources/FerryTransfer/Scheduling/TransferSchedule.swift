import FerryCore

/// The work of a sweep: what waits, how much is under way, and what has come out so far.
///
/// It decides what begins next; the tasks themselves are ``TransferRun/sweep(_:_:_:)``'s.
struct TransferSchedule {
    /// Something to be done by one task.
    enum Work: Sendable {
        /// Copies that are to be looked at.
        case review(CopyReview.Batch)
        /// A folder that is to be looked into.
        case folder(TransferFolder)
        case single(WorkQueue.Item)
        /// Small files that are copied in one go.
        case bulk([WorkQueue.Item], BulkCopier)
        /// Small files that are read in one go.
        case readAhead([WorkQueue.Item], BulkReader)

        var isFolder: Bool { if case .folder = self { true } else { false } }
    }

    /// Folders that are listed at the same time, at most.
    private static let mostListings = 8

    private(set) var state: TransferRun.State
    private let run: TransferRun
    private let lookAhead: Int
    private var folders: [TransferFolder]
    private var queue: WorkQueue
    private var reviews: [CopyReview.Batch] = []
    private var limit: AdaptiveLimit
    private var looking = 0
    private var weight = 0
    private var running = 0

    /// Begins with what is known to be done.
    init(
        _ run: TransferRun,
        _ folders: [TransferFolder],
        _ actions: [TransferAction],
        from state: TransferRun.State
    ) {
        self.run = run
        self.folders = folders
        self.state = state
        let order = run.transfer.options.order
        lookAhead = order == nil ? TransferRun.lookAhead : TransferOrder.lookAhead
        limit = AdaptiveLimit(most: run.most)
        queue = WorkQueue(order: run.isExecuting ? order : nil, to: run.transfer.target)
        queue.append(actions)
    }

    // MARK: Beginning

    /// Takes as much as may be under way: copies to look at, then folders, then the actions that were found in these.
    ///
    /// All of it counts as begun: the caller starts a task for each.
    mutating func takeReady() -> [(work: Work, weight: Int)] {
        var ready: [(work: Work, weight: Int)] = []
        while let batch = nextReview() { ready.append((.review(batch), 1)) }
        while let folder = nextFolder() { ready.append((.folder(folder), 0)) }
        if isReadyForWork() { while let work = nextWork() { ready.append(work) } }
        return ready
    }

    private mutating func nextReview() -> CopyReview.Batch? {
        reviews += run.review.take(isLast: false)
        return !reviews.isEmpty && begin(1) ? reviews.popLast() : nil
    }

    private mutating func nextFolder() -> TransferFolder? {
        guard looking < min(Self.mostListings, limit.limit), queue.count < lookAhead, let folder = folders.popLast()
        else { return nil }
        looking += 1
        return folder
    }

    /// Returns whether work is to be begun: where an order is wanted, the next item is chosen among many.
    ///
    /// With the last folder listed it also notes that all work has been found.
    private func isReadyForWork() -> Bool {
        let isListed = looking == 0 && folders.isEmpty
        if isListed, !run.ledger.status.isListed { run.ledger.foundAll() }
        return run.transfer.options.order == nil || isListed || queue.count >= lookAhead
    }

    private mutating func nextWork() -> (work: Work, weight: Int)? {
        guard let next = queue.peek() else { return nil }
        let weight = limit.weight(of: next.action.bytes)
        guard begin(weight), let first = queue.popFirst() else { return nil }
        if let copier = run.bulkCopier {
            let items = copier.take(first, from: &queue, lanes: limit.limit)
            if items.count > 1 { return (.bulk(items, copier), weight) }
        } else if let reader = run.bulkReader {
            let items = reader.take(first, from: &queue, lanes: limit.limit)
            if items.count > 1 { return (.readAhead(items, reader), weight) }
        }
        return (.single(first), weight)
    }

    private mutating func begin(_ weight: Int) -> Bool {
        guard self.weight == 0 || self.weight + weight <= limit.limit else { return false }
        self.weight += weight
        running += 1
        return true
    }

    // MARK: Ending

    /// Returns whether nothing is left to do when nothing is under way: not even copies to look at.
    mutating func isOver() -> Bool {
        reviews = run.review.take(isLast: true)
        return reviews.isEmpty
    }

    /// Takes over what has come of a task.
    ///
    /// - Parameters:
    ///   - step: The result of the task.
    ///   - weight: How much of the load it was.
    /// - Throws: An error that ends everything.
    mutating func take(_ step: TransferRun.Step, weight: Int) throws {
        if run.retryState.takeOverload() { limit.overloaded(running: running) }
        switch step {
        case .closed: looking -= 1
        case .looked(let folder, let findings, let begun):
            looking -= 1
            run.ledger.find(begun)
            for action in begun.reversed() { queue.prepend(WorkQueue.Item(action: action, wasBegun: true)) }
            try note(findings, in: folder)
            run.ledger.wait(queue.count)
        case .done(_, let isOverloaded): end(weight, isOverloaded)
        case .again(let items, let isOverloaded):
            end(weight, isOverloaded)
            for item in items.reversed() { queue.prepend(item) }
        case .opened(let folder):
            end(weight, false)
            folders.append(folder)
        }
    }

    private mutating func end(_ weight: Int, _ isOverloaded: Bool) {
        self.weight -= weight
        running -= 1
        if isOverloaded { limit.overloaded(running: running) } else { limit.succeeded() }
    }

    /// Takes over what was found in a folder.
    private mutating func note(_ findings: TransferWalk.Findings, in folder: TransferFolder) throws {
        for (unlisted, error) in zip(findings.unlisted, findings.errors) {
            if unlisted.path.isRoot, !unlisted.isAtTarget { throw error }
            state.judge.isIncomplete = true
            state.plan.unlisted.append(unlisted)
            try run.fail(TransferAction(.refuse, unlisted.path, .incomplete), error)
        }
        let decision = findings.decision
        state.judge.found += findings.found
        for (action, count) in findings.removals { state.judge.add(action, count: count) }
        state.replacements += decision.replacements
        state.closing += decision.closing
        run.ledger.left(decision.same, bySize: decision.comparedBySize)
        run.ledger.find(decision.actions)
        // From the end, since the last one is taken first: so the order stays that of the listing.
        folders += decision.folders.reversed()
        guard run.isExecuting else {
            state.plan.actions += decision.actions
            state.plan.comparedBySize += decision.comparedBySize
            return
        }
        // Items that are left as they are need no task of their own.
        for action in decision.actions where action.kind == .skip { run.ledger.did(action, action.lossesOfSkipping) }
        func isWork(_ action: TransferAction) -> Bool { action.kind != .makeFolder && action.kind != .skip }
        // Mostly all of them are, and a folder may have very many.
        queue.append(decision.actions.allSatisfy(isWork) ? decision.actions : decision.actions.filter(isWork))
    }
}

extension TransferAction {
    /// The losses to report of an item that is left: of a folder that would have been removed if it was seen empty.
    var lossesOfSkipping: Set<TransferReport.Loss> {
        reason == .hidden && target?.isDirectory == true && target?.name.hasPrefix(".") == false ? [.folders] : []
    }
}
