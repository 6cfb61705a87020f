import FerryCore
import Foundation

extension TransferRun {
    /// Actions that may wait while listing goes on.
    static let lookAhead = 2_000

    /// Folders that are listed at the same time, at most.
    private static let mostListings = 8

    /// The result of a task of the group.
    enum Step: Sendable {
        case looked(TransferFolder, TransferWalk.Findings, begun: [TransferAction])
        /// A folder that could not be made, with all that would go into it.
        case closed
        /// Done, or given up.
        case done(weight: Int, isDone: Bool, isOverloaded: Bool)
        /// To be done again.
        case again([WorkQueue.Item], weight: Int, isOverloaded: Bool)
        /// A folder that can't be copied as a whole.
        case opened(TransferFolder, weight: Int)
    }

    /// How much is under way.
    private struct Load {
        var limit: AdaptiveLimit
        var looking = 0
        var weight = 0
        var running = 0

        /// Begins something, if there is room for it.
        mutating func begin(_ weight: Int) -> Bool {
            guard self.weight == 0 || self.weight + weight <= limit.limit else { return false }
            self.weight += weight
            running += 1
            return true
        }

        mutating func end(_ weight: Int, isOverloaded: Bool) {
            self.weight -= weight
            running -= 1
            if isOverloaded { limit.overloaded(running: running) } else { limit.succeeded() }
        }
    }

    /// Looks into folders and all below, and does what is to be done there.
    ///
    /// - Parameters:
    ///   - folders: The folders.
    ///   - actions: The actions to be done besides.
    ///   - state: Gets what comes out.
    /// - Throws: An error that ends everything.
    func sweep(_ folders: [TransferFolder], _ actions: [TransferAction], _ state: inout State) async throws {
        let executor = EventLoopExecutor.preferred(for: transfer.source.storage, transfer.target.storage)
        state = try await withTaskExecutorPreference(executor) { [state] in
            // Providers by themselves ask again what was too much; the load goes down at once all the same.
            try await OverloadListener.$current.withValue(OverloadListener { [patience] in patience.noteOverload() }) {
                try await sweep(folders, actions, from: state, isFar: executor != nil)
            }
        }
    }

    private func sweep(
        _ folders: [TransferFolder],
        _ actions: [TransferAction],
        from state: State,
        isFar: Bool
    ) async throws -> State {
        try await withThrowingTaskGroup(of: Step.self, returning: State.self) { group in
            var state = state
            var folders = folders
            var queue = WorkQueue(order: isExecuting ? transfer.options.order : nil, to: transfer.target)
            queue.append(actions)
            let lookAhead = transfer.options.order == nil ? Self.lookAhead : TransferOrder.lookAhead
            var load = Load(limit: AdaptiveLimit(most: most))
            var looks: [CopyReview.Batch] = []
            while true {
                looks += review.take(isLast: false)
                while let batch = looks.last, load.begin(load.limit.weight(of: 0)) {
                    looks.removeLast()
                    let weight = load.limit.weight(of: 0)
                    group.addTask(executorPreference: isFar ? EventLoopExecutor.next() : nil) {
                        try await look(at: batch, weight: weight)
                    }
                }
                while load.looking < min(Self.mostListings, load.limit.limit), queue.count < lookAhead,
                    let folder = folders.popLast()
                {
                    load.looking += 1
                    group.addTask { try await enter(folder) }
                }
                let isListed = load.looking == 0 && folders.isEmpty
                if isListed, !ledger.status.isListed { ledger.foundAll() }
                // The next item is chosen among many.
                if transfer.options.order == nil || isListed || queue.count >= lookAhead {
                    start(&queue, &load) { step in
                        let executor = isFar ? EventLoopExecutor.next() : nil
                        group.addTask(executorPreference: executor) { try await step() }
                    }
                }
                guard let step = try await group.next() else {
                    looks = review.take(isLast: true)
                    if looks.isEmpty { return state }
                    continue
                }
                if patience.takeOverload() { load.limit.overloaded(running: load.running) }
                switch step {
                case .closed: load.looking -= 1
                case .looked(let folder, let findings, let begun):
                    load.looking -= 1
                    ledger.find(begun)
                    for action in begun.reversed() { queue.prepend(WorkQueue.Item(action: action, wasBegun: true)) }
                    let new = try note(findings, in: folder, &state)
                    folders += new.folders
                    queue.append(new.actions)
                    ledger.wait(queue.count)
                case .done(let weight, _, let isOverloaded): load.end(weight, isOverloaded: isOverloaded)
                case .again(let items, let weight, let isOverloaded):
                    load.end(weight, isOverloaded: isOverloaded)
                    for item in items.reversed() { queue.prepend(item) }
                case .opened(let folder, let weight):
                    load.end(weight, isOverloaded: false)
                    folders.append(folder)
                }
            }
        }
    }

    /// Begins as much as may be under way.
    private func start(
        _ queue: inout WorkQueue,
        _ load: inout Load,
        _ add: (@escaping @Sendable () async throws -> Step) -> Void
    ) {
        while let next = queue.peek() {
            let weight = load.limit.weight(of: next.action.bytes)
            guard load.begin(weight), let work = queue.popFirst() else { return }
            if let bulkCopier {
                let bulk = bulkCopier.take(work, from: &queue, lanes: load.limit.limit)
                if bulk.count > 1 {
                    add { try await attempt(bulk, by: bulkCopier, weight: weight) }
                    continue
                }
            } else if let bulkReader {
                let works = bulkReader.take(work, from: &queue, lanes: load.limit.limit)
                if works.count > 1 {
                    add { try await attempt(works, readBy: bulkReader, weight: weight) }
                    continue
                }
            }
            add { try await attempt(work, weight: weight) }
        }
    }

    /// Makes a folder if that is needed, and looks into it.
    private func enter(_ folder: TransferFolder) async throws -> Step {
        try await control?.pass()
        if isExecuting, !folder.isAtTarget {
            let action = TransferAction(.makeFolder, folder.path, .missing, source: folder.item)
            let new = try await makeTogether(folder, action)
            if new?.isMade != true {
                let wasBegun = folder.wasBegun || new?.begun.isEmpty == false
                guard try await performFully(action, wasBegun: wasBegun) else { return .closed }
            }
            if let new { return .looked(folder, new.findings, begun: new.begun) }
        }
        var folder = folder
        if folder.isUncertain { folder.isAtTarget = true }
        return .looked(folder, try await walk.look(into: folder), begun: [])
    }

    /// Takes over what was found in a folder.
    private func note(
        _ findings: TransferWalk.Findings,
        in folder: TransferFolder,
        _ state: inout State
    ) throws -> (folders: [TransferFolder], actions: [TransferAction]) {
        for (unlisted, error) in zip(findings.unlisted, findings.errors) {
            if unlisted.path.isRoot, !unlisted.isAtTarget { throw error }
            state.judge.isIncomplete = true
            state.plan.unlisted.append(unlisted)
            try fail(TransferAction(.refuse, unlisted.path, .incomplete), error)
        }
        state.judge.found += findings.found
        for (action, count) in findings.removals { state.judge.add(action, count: count) }
        state.replacements += findings.decision.replacements
        state.closing += findings.decision.closing
        ledger.left(findings.decision.same, bySize: findings.decision.comparedBySize)
        let actions = findings.decision.actions
        // From the end, since the last one is taken first: so the order stays that of the listing.
        let folders = Array(findings.decision.folders.reversed())
        ledger.find(actions)
        guard isExecuting else {
            state.plan.actions += actions
            state.plan.comparedBySize += findings.decision.comparedBySize
            return (folders, [])
        }
        // Items that are left as they are need no task of their own.
        for action in actions where action.kind == .skip { ledger.did(action, action.lossesOfSkipping) }
        func isWork(_ action: TransferAction) -> Bool { action.kind != .makeFolder && action.kind != .skip }
        // Mostly all of them are, and a folder may have very many.
        return (folders, actions.allSatisfy(isWork) ? actions : actions.filter(isWork))
    }

    // MARK: Doing

    /// Does something, as often as it takes.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - wasBegun: `true` if it may be done already.
    /// - Returns: `true` if it was done.
    /// - Throws: An error that ends everything.
    private func performFully(_ action: TransferAction, wasBegun: Bool) async throws -> Bool {
        var work = WorkQueue.Item(action: action, wasBegun: wasBegun)
        while true {
            switch try await attempt(work, weight: 0) {
            case .again(let items, _, _):
                guard let next = items.first else { return false }
                work = next
            case .done(_, let isDone, _): return isDone
            case .closed, .looked, .opened: return false
            }
        }
    }

    /// Tries once to do something, and tells how it ended.
    private func attempt(_ work: WorkQueue.Item, weight: Int, readAhead: ReadAhead? = nil) async throws -> Step {
        try await control?.pass()
        let action = work.action
        if action.kind == .skip {
            ledger.did(action, action.lossesOfSkipping)
            return .done(weight: weight, isDone: true, isOverloaded: false)
        }
        let item = work.item ?? ledger.began(action)
        var begun = work
        begun.item = item
        do {
            let outcome: ActionPerformer.Outcome
            if let remains = work.remains {
                outcome = try await performer.finish(remains.outcome, remains.original)
            } else {
                let before = ActionPerformer.Before(isRepeated: work.wasBegun, isResent: work.sendings > 0)
                outcome = try await ComingFiles.with(work.coming) {
                    try await performer.perform(action, item, before, readAhead: readAhead)
                }
            }
            patience.succeeded()
            ledger.did(outcome.action, outcome.losses, item, planned: action, copied: outcome.copied)
            walk.uploads?.note(outcome.action)
            if let unseen = outcome.unseen {
                review.add(unseen, of: outcome.action, losses: outcome.losses, attempt: work.sendings + 1)
            }
            return .done(weight: weight, isDone: true, isOverloaded: false)
        } catch let error as CancellationError {
            throw error
        } catch let remains as ActionPerformer.SourceRemains {
            begun.remains = remains
            return try await end(begun, weight, remains.reason)
        } catch let early as ActionPerformer.NothingDone {
            return try await end(begun, weight, early.reason)
        } catch {
            try Task.checkCancellation()
            if error.isAnswerTimeOut {
                do {
                    if let outcome = try await performer.outcomeAfterSilence(of: action) {
                        ledger.did(outcome.action, outcome.losses, item, planned: action)
                        walk.uploads?.note(outcome.action)
                        return .done(weight: weight, isDone: true, isOverloaded: true)
                    }
                } catch let remains as ActionPerformer.SourceRemains {
                    begun.remains = remains
                    return try await end(begun, weight, remains.reason)
                } catch let error as CancellationError {
                    throw error
                } catch {
                    // It can't be seen: so it is told that no answer came.
                }
            }
            if mayOpen(work, after: error) {
                ledger.dissolve(item, action)
                // An item that is there although nothing was begun is somebody else's.
                let isOurs = work.wasBegun || (error as? CocoaError)?.code != .fileWriteFileExists
                return .opened(TransferFolder(whole: action, wasBegun: isOurs), weight: weight)
            }
            begun.wasBegun = true
            return try await end(begun, weight, error)
        }
    }

    /// Returns whether what is in a folder is to be copied item by item, since that can't be done as a whole.
    ///
    /// Copies that may go better the next time are tried again as a whole, and those that would never end are not
    /// begun.
    private func mayOpen(_ work: WorkQueue.Item, after error: any Error) -> Bool {
        guard work.action.kind == .add, work.action.source?.isDirectory == true else { return false }
        let code = (error as? CocoaError)?.code
        // An earlier try has come so far, and its answer got lost.
        if work.wasBegun, code == .fileWriteFileExists { return true }
        if transfer.options.endsAtFirstFailure || transfer.retryPolicy.isTransient(error) { return false }
        let reason = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code
        return !(code == .fileWriteInvalidFileName && reason == .EINVAL)
    }

    /// Decides what comes of what has failed.
    private func end(_ work: WorkQueue.Item, _ weight: Int, _ error: any Error) async throws -> Step {
        let isOverloaded = Patience.meansOverload(error)
        guard let next = try await patience.next(after: work.trial, error) else {
            try fail(work.action, error, work.item)
            return .done(weight: weight, isDone: false, isOverloaded: isOverloaded)
        }
        if let item = work.item, work.remains == nil { ledger.restarted(item) }
        var again = work
        again.trial = next
        return .again([again], weight: weight, isOverloaded: isOverloaded)
    }

    /// Tries once to copy small files, one after the other, that are read in one go.
    private func attempt(_ works: [WorkQueue.Item], readBy reader: BulkReader, weight: Int) async throws -> Step {
        try await control?.pass()
        var again: [WorkQueue.Item] = []
        var isOverloaded = false
        for (work, readAhead) in zip(works, try await reader.read(works)) {
            let step = try await attempt(work, weight: weight, readAhead: readAhead)
            switch step {
            case .done(_, _, let isTooMuch): isOverloaded = isOverloaded || isTooMuch
            case .again(let items, _, let isTooMuch):
                again += items
                isOverloaded = isOverloaded || isTooMuch
            case .looked, .closed, .opened: break  // of folders
            }
        }
        return again.isEmpty
            ? .done(weight: weight, isDone: true, isOverloaded: isOverloaded)
            : .again(again, weight: weight, isOverloaded: isOverloaded)
    }

    /// Tries once to copy small files in one go; those that fail are tried one by one.
    private func attempt(_ bulk: [WorkQueue.Item], by copier: BulkCopier, weight: Int) async throws -> Step {
        try await control?.pass()
        var works: [WorkQueue.Item] = []
        for work in bulk {
            var begun = work
            let item = work.item ?? ledger.began(work.action)
            begun.item = item
            var copier = performer.copier
            copier.bytes = ByteCount(of: item, in: ledger)
            if work.action.kind == .update, await copier.wasCopied(work.action) {
                ledger.did(work.action, [], item)
            } else {
                works.append(begun)
            }
        }
        let results: [Result<Bool?, any Error>]
        do {
            try await performer.copier.pacing?.pass(Int(clamping: works.reduce(0) { $0 + $1.action.bytes }))
            results = try await copier.copy(works.map(\.action))
        } catch let error as CancellationError {
            throw error
        } catch {
            results = works.map { _ in .failure(error) }
        }
        var again: [WorkQueue.Item] = []
        var isOverloaded = false
        for (work, result) in zip(works, results) {
            guard let item = work.item else { continue }
            switch result {
            case .success(let hasAttributes):
                patience.succeeded()
                ledger.add(work.action.bytes, to: item)
                performer.copier.noteCopied(work.action)
                let losses = try await performer.keepRest(of: work.action, hasExtendedAttributes: hasAttributes)
                ledger.did(work.action, losses, item)
                walk.uploads?.note(work.action)
            case .failure(let error):
                isOverloaded = isOverloaded || Patience.meansOverload(error)
                // By itself it is tried as often as any other.
                var next = work
                (next.trial.attempt, next.wasBegun, next.coming) = (2, true, nil)
                again.append(next)
            }
        }
        return again.isEmpty
            ? .done(weight: weight, isDone: true, isOverloaded: isOverloaded)
            : .again(again, weight: weight, isOverloaded: isOverloaded)
    }

    /// Notes a failure, which may end everything.
    func fail(_ action: TransferAction, _ error: any Error, _ item: TransferLedger.Item? = nil) throws {
        ledger.failed(action, error, item)
        if transfer.options.endsAtFirstFailure { throw error }
    }
}

extension TransferAction {
    /// The losses to report of an item that is left: of a folder that would have been removed if it was seen empty.
    fileprivate var lossesOfSkipping: Set<TransferReport.Loss> {
        reason == .hidden && target?.isDirectory == true && target?.name.hasPrefix(".") == false ? [.folders] : []
    }
}
