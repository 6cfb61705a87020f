import FerryCore
import Foundation

/// One run of a transfer: lists, decides, and copies if it is to, many things at a time.
///
/// This file has the stages of a run; `TransferRun+Sweep.swift` begins the tasks that each of them consists of, and
/// `TransferRun+Attempts.swift` has these.
struct TransferRun: Sendable {
    /// The results so far.
    struct State {
        var judge: RemovalJudge
        var replacements: [(action: TransferAction, folder: TransferFolder?)] = []
        /// The actions on folders when all else is done, a folder before what is in it: an action for each folder of
        /// which the date is kept, or that a move empties.
        var closing: [TransferAction] = []
        var plan = TransferPlan()
    }

    let transfer: Transfer

    /// Indicates whether something is done, not only planned.
    let isExecuting: Bool

    let ledger: TransferLedger
    let control: TransferControl?
    let walk: TransferWalk
    let performer: ActionPerformer
    let bulkCopier: BulkCopier?
    let bulkReader: BulkReader?
    /// Indicates whether folders may be made together with what is in them.
    private let makesWholeFolders: Bool
    let retryState: RetryState
    let review = CopyReview()

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - transfer: The transfer.
    ///   - isExecuting: `true` if it is done, not only planned.
    ///   - ledger: Keeps account.
    ///   - control: Pauses the run.
    ///   - journal: Remembers what is under way.
    ///   - uploads: Remembers what was written.
    ///   - planAge: How long ago the plan was made that is to be done; `nil` if there is none.
    init(
        _ transfer: Transfer,
        isExecuting: Bool,
        ledger: TransferLedger,
        control: TransferControl? = nil,
        journal: JobJournal? = nil,
        uploads: UploadMemory? = nil,
        planAge: PlanGuard.Age? = nil
    ) {
        self.transfer = transfer
        self.isExecuting = isExecuting
        self.ledger = ledger
        self.control = control
        retryState = RetryState(
            transfer.retryPolicy,
            outagePatience: transfer.options.outagePatience,
            clock: transfer.clock
        )
        performer = ActionPerformer(transfer, ledger, control, retryState, journal, planAge: planAge)
        performer.copier.rewritten.remember(in: uploads)
        let goesOneByOne = planAge == .old || transfer.options.backupFolder != nil || performer.isQuickerByItself
        bulkCopier =
            goesOneByOne
            ? nil
            : BulkCopier(
                transfer,
                // Here a look at what is replaced costs next to nothing, and each file gets its own, right before.
                replaces: transfer.target.isAway && transfer.options.comparison == .nothing
                    && !transfer.options.keepsNewer,
                control: control
            )
        makesWholeFolders = isExecuting && !goesOneByOne && bulkCopier == nil
        bulkReader = performer.isQuickerByItself || bulkCopier != nil ? nil : BulkReader(transfer)
        let planner = FolderPlanner(
            transfer.options,
            from: transfer.source.storage.capabilities,
            to: transfer.target.storage.capabilities,
            settable: performer.keeper.settable,
            takesWholeFolders: isExecuting && ActionPerformer.takesWholeFolders(transfer),
            copiesSpecialItems: ActionPerformer.copiesSpecialItems(transfer),
            namesSame: !isExecuting
        )
        walk = TransferWalk(
            source: transfer.source,
            target: transfer.target,
            options: transfer.options,
            retryState: retryState,
            planner: planner,
            namesAll: !isExecuting,
            uploads: uploads
        )
    }

    /// The copier that makes folders together with their files, where the target is known to be quicker so: that is
    /// known when it was asked for something.
    var newFolderCopier: NewFolderCopier? {
        guard makesWholeFolders else { return nil }
        return NewFolderCopier(transfer, lanes: most, pacing: performer.copier.pacing, control: control)
    }

    /// Files at the same time, at most: what a storage at the other end of a line recommends, since those are slower.
    var most: Int {
        if let concurrency = transfer.options.concurrency { return max(1, concurrency) }
        let places = [transfer.source, transfer.target]
        let far = places.filter { !$0.isNear }
        let limits = (far.isEmpty ? places : far).map(\.storage.capabilities.recommendedConcurrency)
        return max(1, limits.min() ?? 1)
    }

    // MARK: From both sides as they are

    /// Lists everything, and does what is to be done.
    ///
    /// - Returns: The plan, if it was only planned; else an empty one.
    /// - Throws: When the source's top can't be listed; `CancellationError`; the first failure if the options say so.
    func go() async throws -> TransferPlan {
        let options = transfer.options
        var state = State(
            judge: RemovalJudge(largestPart: options.largestRemoval, largestCount: options.largestRemovalCount)
        )
        // Making the folder shows if there is one already.
        let isLookedFor = !options.demandsNewFolder || !isExecuting
        async let lookup = isLookedFor ? existing(transfer.target) : nil
        var item = transfer.source.seenTop
        if item == nil { item = try await existing(transfer.source) }
        guard let item else {
            _ = try await lookup
            throw CocoaError.noSuchItem(transfer.source.top)
        }
        let other = try await lookup
        if other != nil, options.mode == .move { try await requireTwoPlaces(isFolder: item.isDirectory) }
        if item.isDirectory {
            if other != nil, options.demandsNewFolder { throw CocoaError.itemExists(transfer.target.top) }
            if let other, !other.isDirectory {
                throw CocoaError.notAFolder(transfer.target.top, whileWriting: true)
            }
            let (folders, actions) = start(at: item, isAtTarget: other != nil, &state)
            try await sweep(folders, actions, &state)
            if !isExecuting { state.settle() }
            try await end(&state)
        } else {
            let decision = await walk.decide(single: item, other)
            ledger.left(bySize: decision.comparedBySize)
            state.plan.comparedBySize += decision.comparedBySize
            try await take(decision.actions, &state)
        }
        ledger.foundAll()
        return state.plan
    }

    /// Returns what is at the top of a place; `nil` if nothing is.
    func existing(_ place: TransferPlace) async throws -> FileObject? {
        try await retryState.retrying { try await place.storage.attributesIfExists(path: place.top) }
    }

    /// Returns what to begin with: the source's folder as a whole, or what is in it.
    private func start(
        at item: FileObject,
        isAtTarget: Bool,
        _ state: inout State
    ) -> (folders: [TransferFolder], actions: [TransferAction]) {
        let top = transfer.source.top
        if !isAtTarget, walk.planner.takesWholeFolders, !top.isRoot, !transfer.target.top.isRoot {
            let removes = transfer.options.mode == .move
            let whole = TransferAction(.add, .root, .missing, source: item, removesSource: removes)
            ledger.find([whole])
            return ([], [whole])
        }
        if !isAtTarget, !isExecuting { state.plan.actions.append(TransferAction(.makeFolder, .root, .missing)) }
        return ([TransferFolder(top: top, isAtTarget: isAtTarget)], [])
    }

    /// Does what had to wait until everything was listed.
    private func end(_ state: inout State) async throws {
        if transfer.options.tracksRenames, !isExecuting, !state.judge.isIncomplete {
            try await findRenames(&state)
        }
        let isAllowed = state.judge.isAllowed
        try await take(state.judge.verdict, &state)
        try await replace(isAllowed, &state)
        try await close(&state)
    }

    /// Moves what the target has elsewhere, instead of copying it anew.
    private func findRenames(_ state: inout State) async throws {
        var removals = state.judge.removals
        var matches: [RenameFinder.Match] = []
        let found = RenameFinder.matches(
            state.plan.actions,
            removals,
            performer.comparison,
            demandsChecksums: transfer.options.comparison == .checksum
        )
        for match in found {
            if match.isCertain {
                matches.append(match)
            } else if let item = state.plan.actions[match.addition].source,
                let other = removals[match.removal].target, try await hasSameContents(item, other)
            {
                matches.append(match)
            }
        }
        RenameFinder.apply(matches, &state.plan.actions, &removals)
        state.judge.keep(only: removals)
    }

    /// Returns whether two files are the same, found out by reading no more than it would take to copy one.
    private func hasSameContents(_ item: FileObject, _ other: FileObject) async throws -> Bool {
        do {
            return try await retryState.retrying {
                try await performer.contents.isSameByChecksum(item, other, readsBoth: true) ?? false
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            return false  // copying it will say what is wrong
        }
    }

    /// Puts things where something of another type was, or refuses to.
    private func replace(_ isAllowed: Bool, _ state: inout State) async throws {
        let replacements = state.replacements
        state.replacements = []
        if replacements.isEmpty { return }
        guard isAllowed else {
            return try await take(
                replacements.map { TransferAction(.refuse, $0.action.path, .otherType, source: $0.action.source) },
                &state
            )
        }
        let files = replacements.filter { $0.folder == nil }.map(\.action)
        ledger.find(files)
        let settled = state.plan.actions.count
        if !isExecuting { state.plan.actions += replacements.map(\.action) }
        try await sweep(replacements.compactMap(\.folder), isExecuting ? files : [], &state)
        if !isExecuting { state.settle(from: settled) }
    }

    /// Gives folders their dates, and removes those that are empty now, the innermost first.
    private func close(_ state: inout State) async throws {
        let closing = state.closing
        state.closing = []
        try await take(closing.filter { $0.kind != .removeSource }.sorted { $1.path < $0.path }, &state)
        let emptied = Dictionary(grouping: closing.filter { $0.kind == .removeSource }) { $0.path.components.count }
        for (_, actions) in emptied.sorted(by: { $0.key > $1.key }) {
            try await take(actions.sorted { $0.path < $1.path }, &state)
        }
    }

    /// Does actions, or notes them.
    private func take(_ actions: [TransferAction], _ state: inout State) async throws {
        guard isExecuting else {
            state.plan.actions += actions
            return
        }
        ledger.find(actions)
        try await sweep([], actions, &state)
    }

    // MARK: From a plan

    /// Does what a plan says: one folder after the other, files and removals several at a time.
    ///
    /// - Parameter plan: The plan.
    /// - Throws: `CancellationError`; the first failure if the options say so.
    func go(through plan: TransferPlan) async throws {
        for folder in plan.unlisted {
            let failure = folder.failure(in: transfer)
            try fail(failure.action, failure.error)
        }
        if plan.actions.contains(where: { $0.removesSource || $0.kind == .removeSource }),
            let other = try await existing(transfer.target)
        {
            try await requireTwoPlaces(isFolder: other.isDirectory)
        }
        ledger.find(plan.actions)
        ledger.foundAll()
        var rest = plan.actions[...]
        while let first = rest.first {
            let group = Self.isSerial(first) ? rest.prefix(1) : rest.prefix { Self.mayGo($0, with: first) }
            rest = rest.dropFirst(group.count)
            var state = State(judge: RemovalJudge(largestPart: 1))
            try await sweep([], Array(group), &state)
        }
    }

    /// Returns what is in a folder comes after it, or before it; what is moved may be what something else needs gone.
    private static func isSerial(_ action: TransferAction) -> Bool {
        switch action.kind {
        case .makeFolder, .rename: true
        case .remove: action.target?.isDirectory == true
        case .removeSource: action.reason == .emptied
        case .add, .update, .setDates, .skip, .refuse: false
        }
    }

    private static func mayGo(_ action: TransferAction, with first: TransferAction) -> Bool {
        let copies: [TransferAction.Kind] = [.add, .update, .skip, .refuse, .removeSource]
        return !isSerial(action)
            && (action.kind == first.kind || (copies.contains(action.kind) && copies.contains(first.kind)))
    }
}

extension TransferRun.State {
    /// Brings what was found in whatever order into one that depends on what was found only.
    ///
    /// Folders come first, so that whatever is in them can be done at the same time.
    ///
    /// - Parameter start: The first of the plan's actions that are not in order yet.
    mutating func settle(from start: Int = 0) {
        func rank(_ action: TransferAction) -> Int {
            switch action.kind {
            case .makeFolder: 0
            case .rename: 1
            default: 2
            }
        }
        plan.actions[start...].sort { (rank($0), $0.path) < (rank($1), $1.path) }
        plan.unlisted.sort { $0.path < $1.path }
        judge.settle()
    }
}
