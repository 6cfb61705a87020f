import FerryCore
import Foundation

/// One run of a transfer: lists, decides, and copies if it is to, many things at a time.
struct TransferRun: Sendable {
    /// Actions that may wait while listing goes on.
    private static let lookAhead = 2_000

    /// What a task of the group has done.
    private enum Step: Sendable {
        case looked(TransferWalk.Folder, TransferWalk.Findings)
        /// A folder that could not be made, with all that would go into it.
        case closed
        case done(weight: Int, isOverloaded: Bool)
    }

    /// What has come out so far.
    private struct State {
        var judge: RemovalJudge
        var replacements: [TransferAction] = []
        var plan = TransferPlan()
    }

    let transfer: Transfer

    /// Whether something is done, not only planned.
    let isExecuting: Bool

    let ledger: TransferLedger

    private let walk: TransferWalk
    private let copier: FileCopier

    init(_ transfer: Transfer, isExecuting: Bool, ledger: TransferLedger) {
        self.transfer = transfer
        self.isExecuting = isExecuting
        self.ledger = ledger
        walk = TransferWalk(transfer)
        copier = FileCopier(from: transfer.source, to: transfer.target, options: transfer.options) { _ in }
    }

    /// Files at the same time, at most.
    private var most: Int {
        if let concurrency = transfer.options.concurrency { return max(1, concurrency) }
        let storages = [transfer.source.storage, transfer.target.storage]
        return max(1, storages.map(\.capabilities.recommendedConcurrency).min() ?? 1)
    }

    /// Lists everything, and does what is to be done.
    ///
    /// - Returns: What was to be done, if it was only planned; else nothing.
    /// - Throws: When the source's folder can't be listed; `CancellationError`; the first failure if the options say so.
    func go() async throws -> TransferPlan {
        var state = State(
            judge: RemovalJudge(
                largestPart: transfer.options.largestRemoval,
                largestCount: transfer.options.largestRemovalCount
            )
        )
        let isAtTarget = try await targetExists()
        if !isAtTarget { try await take([TransferAction(.makeFolder, .root, .missing)], &state) }
        try await sweep([.init(path: .root, isAtTarget: isAtTarget || isExecuting)], [], &state)
        let verdict = state.judge.verdict
        try await take(verdict, &state)
        if verdict == state.judge.removals, !state.replacements.isEmpty {
            let replacements = state.replacements
            let folders = replacements.filter { $0.kind == .makeFolder }
            if !isExecuting { state.plan.actions += folders }
            try await sweep(
                folders.map { .init(path: $0.path, isAtTarget: false) },
                replacements.filter { $0.kind != .makeFolder },
                &state
            )
        }
        ledger.foundAll()
        return state.plan
    }

    /// Does what a plan says: one folder after the other, files and removals several at a time.
    ///
    /// - Parameter plan: The plan.
    /// - Throws: `CancellationError`; the first failure if the options say so.
    func go(through plan: TransferPlan) async throws {
        ledger.find(plan.actions)
        ledger.foundAll()
        var rest = plan.actions[...]
        while let first = rest.first {
            // What is in a folder comes after it; what is removed or moved may be what something else needs gone.
            let isSerial = [.makeFolder, .rename].contains(first.kind)
            let group =
                isSerial
                ? rest.prefix(1)
                : rest.prefix { action in
                    action.kind == first.kind
                        || ([.add, .update, .skip].contains(action.kind) && first.kind != .remove)
                }
            rest = rest.dropFirst(group.count)
            var state = State(judge: RemovalJudge(largestPart: 1))
            try await sweep([], Array(group), &state)
        }
    }

    private func targetExists() async throws -> Bool {
        do {
            let item = try await walk.patience.retrying {
                try await transfer.target.storage.attributesOfItem(path: transfer.target.top)
            }
            guard item.isDirectory else { throw CocoaError.notAFolder(transfer.target.top, whileWriting: true) }
            return true
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return false
        }
    }

    /// Does actions, or notes them.
    private func take(_ actions: [TransferAction], _ state: inout State) async throws {
        if isExecuting {
            try await sweep([], actions, &state)
        } else {
            state.plan.actions += actions
        }
    }

    /// Looks into folders and all below, and does what is to be done there.
    private func sweep(
        _ folders: [TransferWalk.Folder],
        _ actions: [TransferAction],
        _ state: inout State
    ) async throws {
        var folders = folders
        var waiting = actions[...]
        state = try await withThrowingTaskGroup(of: Step.self, returning: State.self) { [state] group in
            var state = state
            var limit = AdaptiveLimit(most: most)
            var (looking, weight, running) = (0, 0, 0)
            while true {
                while looking < min(8, most), waiting.count < Self.lookAhead, let folder = folders.popLast() {
                    looking += 1
                    group.addTask { try await enter(folder) }
                }
                while let action = waiting.first {
                    let own = limit.weight(of: action.bytes)
                    guard weight == 0 || weight + own <= limit.limit else { break }
                    waiting.removeFirst()
                    weight += own
                    running += 1
                    group.addTask { .done(weight: own, isOverloaded: try await perform(action)) }
                }
                switch try await group.next() {
                case nil: return state
                case .closed: looking -= 1
                case .looked(let folder, let findings):
                    looking -= 1
                    let new = try note(findings, in: folder, &state)
                    folders += new.folders
                    waiting += new.actions
                case .done(let own, let isOverloaded):
                    weight -= own
                    running -= 1
                    if isOverloaded { limit.overloaded(running: running) } else { limit.succeeded() }
                }
            }
        }
    }

    /// Makes a folder if that is needed, and looks into it.
    private func enter(_ folder: TransferWalk.Folder) async throws -> Step {
        if isExecuting, !folder.isAtTarget {
            let action = TransferAction(.makeFolder, folder.path, .missing)
            let failures = ledger.failures
            _ = try await perform(action)
            if ledger.failures != failures, ledger.hasFailed(folder.path) { return .closed }
        }
        return .looked(folder, try await walk.look(into: folder))
    }

    /// Takes over what was found in a folder.
    private func note(
        _ findings: TransferWalk.Findings,
        in folder: TransferWalk.Folder,
        _ state: inout State
    ) throws -> (folders: [TransferWalk.Folder], actions: [TransferAction]) {
        for (unlisted, error) in zip(findings.unlisted, findings.errors) {
            if unlisted.path.isRoot, !unlisted.isAtTarget { throw error }
            state.judge.isIncomplete = true
            state.plan.unlisted.append(unlisted)
            try fail(TransferAction(.refuse, unlisted.path, .incomplete), error)
        }
        state.judge.found += findings.found
        for (action, count) in findings.removals { state.judge.add(action, count: count) }
        state.replacements += findings.decision.replacements
        let actions = findings.decision.actions
        // From the end, since the last one is taken first: so the order stays that of the listing.
        let folders = findings.decision.folders.reversed().map {
            TransferWalk.Folder(path: $0.path, isAtTarget: $0.isAtTarget)
        }
        guard isExecuting else {
            state.plan.actions += actions
            ledger.find(actions)
            return (folders, [])
        }
        let todo = actions.filter { $0.kind != .makeFolder }
        ledger.find(todo)
        return (folders, todo)
    }

    // MARK: Doing

    /// Does something, and tells how it ended.
    ///
    /// - Returns: Whether the storage said that it has too much to do.
    /// - Throws: What ends everything.
    private func perform(_ action: TransferAction) async throws -> Bool {
        guard isExecuting else { return false }
        if action.kind == .skip {
            ledger.did(action, [])
            return false
        }
        let item = ledger.began(action)
        var copier = copier
        copier.count = { [ledger] in ledger.add($0, to: item) }
        var isOverloaded = false
        var attempt = 1
        while true {
            do {
                ledger.did(action, try await copier.perform(action), item)
                return isOverloaded
            } catch let error as CancellationError {
                throw error
            } catch {
                if attempt > 1, try await isDone(action, error) {
                    ledger.did(action, [], item)
                    return isOverloaded
                }
                isOverloaded = isOverloaded || Self.meansOverload(error)
                guard try await walk.patience.waits(afterAttempt: attempt, error) else {
                    try fail(action, error, item)
                    return isOverloaded
                }
                attempt += 1
                ledger.restarted(item)
            }
        }
    }

    private func fail(_ action: TransferAction, _ error: any Error, _ item: TransferLedger.Item? = nil) throws {
        ledger.failed(action, error, item)
        if transfer.options.endsAtFirstFailure { throw error }
    }

    /// Whether an earlier try, whose answer got lost, has done it.
    private func isDone(_ action: TransferAction, _ error: any Error) async throws -> Bool {
        guard let code = (error as? CocoaError)?.code else { return false }
        switch action.kind {
        case .remove: return code == .fileNoSuchFile
        case .add where code == .fileWriteFileExists:
            guard let item = action.source else { return false }
            let path = transfer.target.path(action.path)
            do {
                let written = try await transfer.target.storage.attributesOfItem(path: path)
                return walk.planner.comparison.compare(item, with: written) == .same
            } catch is CocoaError {
                return false
            }
        default: return false
        }
    }

    /// Too many requests, or no answer in time (RFC 6585 §4, RFC 9110 §15.6.4).
    private static func meansOverload(_ error: any Error) -> Bool {
        if (error as? URLError)?.code == .timedOut { return true }
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey]
        let answer = error as? any FileProviderHTTPError ?? underlying as? any FileProviderHTTPError
        return answer.map { $0.statusCode == 429 || $0.statusCode == 503 } ?? false
    }
}
