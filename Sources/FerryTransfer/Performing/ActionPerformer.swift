import FerryCore
import Foundation

/// Does what an action says, once: by the quickest way that there is between the two storages.
struct ActionPerformer: Sendable {
    /// The outcome of an action.
    struct Outcome: Sendable {
        /// The action that was done in the end.
        var action: TransferAction
        var losses: Set<TransferReport.Loss> = []
        /// A copy that nobody has seen yet.
        var unseen: UnseenCopy?
        /// The items in a folder that was copied as a whole.
        var copied: CopiedItems?
    }

    /// One try to do an action.
    struct Attempt: Sendable {
        /// The ledger's item that counts the bytes.
        let item: TransferLedger.Item
        /// Indicates whether an earlier try may have done it, and only its answer was lost.
        var isRepeated = false
        /// Indicates whether it was done, and was not there afterwards: what was replaced is in the backup folder
        /// already, and what stands in its place may be a part of the new one.
        var isResent = false
        /// The content that was read of the source already.
        var readAhead: ReadAhead?
    }

    /// Nothing was changed yet when it failed, so that the next try is like the first.
    struct NothingDone: Error {
        let reason: any Error
    }

    /// The copy is complete, and its original could not be removed.
    ///
    /// An object, since each piece of work that waits has room for one, and hardly any needs it.
    final class SourceRemains: Error {
        let outcome: Outcome
        let original: FileObject
        let reason: any Error

        init(outcome: Outcome, original: FileObject, reason: any Error) {
            self.outcome = outcome
            self.original = original
            self.reason = reason
        }
    }

    let source: TransferPlace
    let target: TransferPlace
    let options: TransferOptions
    let comparison: FileComparison
    let copier: FileCopier
    let ledger: TransferLedger
    let keeper: AttributeKeeper
    let contents: ContentComparison

    /// The guard that looks whether both sides are what the plan says; `nil` where there is no plan.
    let planGuard: PlanGuard?

    /// Indicates whether both sides are one storage.
    let isOneStorage: Bool
    private let remover: SourceRemover
    private let backup: BackupKeeper?
    let control: TransferControl?
    /// The target, if the source's items can come straight to it.
    private let direct: (any FileProviderDirectCopying)?

    /// Nothing was listed before.
    private let start = Date()

    init(
        _ transfer: Transfer,
        _ ledger: TransferLedger,
        _ control: TransferControl?,
        _ retryState: RetryState,
        _ journal: JobJournal?,
        planAge: PlanGuard.Age?
    ) {
        source = transfer.source
        target = transfer.target
        options = transfer.options
        self.ledger = ledger
        comparison = FileComparison(.standard, from: source.storage.capabilities, to: target.storage.capabilities)
        copier = FileCopier(transfer, retryState: retryState, control: control, journal: journal)
        keeper = AttributeKeeper(from: source, to: target)
        contents = ContentComparison(source: source, target: target, control: control)
        planGuard = planAge.map { [source, target] in PlanGuard(source: source, target: target, age: $0) }
        isOneStorage = source.isOnStorage(of: target)
        remover = SourceRemover(source: source)
        backup = BackupKeeper(transfer)
        self.control = control
        direct = Self.direct(transfer)
    }

    /// Where there is a limit, all bytes pass here, to be counted.
    private static func direct(_ transfer: Transfer) -> (any FileProviderDirectCopying)? {
        guard transfer.options.bandwidth == nil, let direct = transfer.target.storage as? any FileProviderDirectCopying,
            direct.canCopy(from: transfer.source.storage)
        else { return nil }
        return direct
    }

    /// Indicates whether the storages copy a file between them without its bytes passing here.
    var isQuickerByItself: Bool { direct != nil || isOneStorage }

    /// Returns whether pipes and the like are copied one by one, as they are in folders that are copied as a whole.
    static func copiesSpecialItems(_ transfer: Transfer) -> Bool { direct(transfer) != nil }

    /// Returns whether folders that the target lacks can be copied or moved there as a whole.
    static func takesWholeFolders(_ transfer: Transfer) -> Bool {
        if transfer.source.isOnStorage(of: transfer.target) {
            let isLimited = transfer.options.bandwidth != nil && !transfer.target.isAway
            return transfer.target.storage.capabilities.copiesOnServer && !isLimited
        }
        return transfer.options.mode != .move && direct(transfer) != nil
    }

    /// Does it.
    ///
    /// - Parameters:
    ///   - action: The action to perform.
    ///   - attempt: The item that counts the bytes, and what is known of earlier tries.
    /// - Returns: The outcome.
    /// - Throws: ``NothingDone`` if it was not begun; ``SourceRemains``; else why it can't be done.
    func perform(_ action: TransferAction, _ attempt: Attempt) async throws -> Outcome {
        if let planGuard, try await unlessDone(action, attempt.isRepeated, planGuard.check) == nil {
            return try await finish(action)
        }
        // Changes by an earlier try were not seen, and the items of an old plan have been looked at just now.
        let date = planGuard?.age == .old ? Date() : start
        let seen = attempt.isRepeated ? nil : target.seen([action], at: date)
        return try await OperationContext.with(\.seenItems, seen) {
            switch action.kind {
            case .skip: break
            case .makeFolder
            where options.demandsNewFolder && action.path.isRoot && !attempt.isRepeated && !target.top.isRoot:
                try await target.storage.create(folder: target.top.lastName, at: target.top.parent)
            case .makeFolder: try await copier.makeFolder(target.path(action.path))
            case .refuse: throw TransferRefusal.error(action, in: target)
            case .rename: try await rename(action, attempt.isRepeated)
            case .remove: try await remove(action)
            case .setDates: try await keeper.align(action, at: target.path(action.path))
            case .removeSource: return try await removeSource(action)
            case .add, .update: return try await transfer(action, attempt)
            }
            return Outcome(action: action)
        }
    }

    private func rename(_ action: TransferAction, _ isRepeated: Bool) async throws {
        guard let from = action.from else { return }
        do {
            try await target.storage.moveItem(path: target.path(from), to: target.path(action.path))
        } catch let error as CocoaError where error.code == .fileNoSuchFile && isRepeated {
            guard try await isDone(action) else { throw error }
        }
    }

    private func remove(_ action: TransferAction) async throws {
        do {
            if let backup {
                try await backup.setAside(action.path)
            } else {
                try await target.storage.removeItem(path: target.path(action.path))
            }
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return  // that it is gone is what was wanted
        }
    }

    private func removeSource(_ action: TransferAction) async throws -> Outcome {
        guard let item = action.source else { return Outcome(action: action) }
        guard action.reason == .emptied else {
            try await remover.remove(item)
            return Outcome(action: action)
        }
        var done = action
        switch try await remover.removeIfEmpty(item.path) {
        case .done: return Outcome(action: done)
        case .notEmpty:
            (done.kind, done.reason) = (.skip, .notEmpty)
            return Outcome(action: done)
        case .uncertain:
            (done.kind, done.reason) = (.skip, .hidden)
            return Outcome(action: done, losses: [.folders])
        }
    }

    // MARK: Bringing something over

    private func transfer(_ action: TransferAction, _ attempt: Attempt) async throws -> Outcome {
        guard let original = action.source else { return Outcome(action: action) }
        if let spared = try await beforeChange({ try await sparedCopy(of: original, action) }) {
            return try await finish(spared, action)
        }
        var isReplacing = false
        if action.kind == .update {
            // Unless it is done already, something may be there to be replaced.
            let stands = try await unlessDone(action, attempt.isRepeated) { try await prepareReplacing($0, attempt) }
            guard let stands else { return try await finish(action) }
            isReplacing = stands
        }
        if isOneStorage, action.removesSource {
            try await move(original, action, isReplacing, attempt.isRepeated)
            return Outcome(action: action)
        }
        var outcome = Outcome(action: action)
        do {
            if let direct, !copier.goesOn(with: original) {
                outcome = try await copyStraight(original, action, attempt, isReplacing, to: direct)
            } else if original.isDirectory {
                try await target.storage.copyItem(path: original.path, to: target.path(action.path), overwrite: false)
                if !target.isNear { outcome.unseen = UnseenCopy(length: nil, isByServer: true) }
            } else {
                var copier = copier
                copier.bytes = ByteCount(of: attempt.item, in: ledger)
                copier.readAhead = attempt.readAhead
                copier.looksAtOnce = action.removesSource
                let copied = try await copier.copy(action, isReplacing: isReplacing)
                (outcome.losses, outcome.unseen) = (copied.losses, copied.unseen)
                if !copier.copiesThere(original) {
                    let hasAttributes = attempt.readAhead?.hasExtendedAttributes
                    let place = target.path(action.path)
                    try await keeper.keep(original, at: place, &outcome.losses, hasExtendedAttributes: hasAttributes)
                }
            }
        } catch {
            guard mayMeanDone(error), try await attempt.isRepeated ? isDone(action) : wasDoneByEarlierRun(action) else {
                throw error
            }
            return try await finish(action)
        }
        return try await finish(outcome, action)
    }

    /// Ends what an earlier try has done.
    func finish(_ action: TransferAction) async throws -> Outcome {
        try await finish(Outcome(action: action), action)
    }

    private func finish(_ outcome: Outcome, _ action: TransferAction) async throws -> Outcome {
        if outcome.losses.contains(.links) {
            // Of a tree, a link that can't be made is left where it is; alone, it is all that was to be done.
            if action.path.isRoot { throw CocoaError.unsupported("making a symbolic link", path: target.top) }
            var left = outcome
            left.action.kind = .skip
            return left
        }
        // A folder goes as a whole only by being moved.
        guard action.removesSource, let original = action.source, !original.isDirectory else { return outcome }
        return try await finish(outcome, original)
    }

    /// Removes an original whose copy is complete.
    ///
    /// From here on nothing is copied any more: the original may be gone, and the copy the only one.
    ///
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - original: The original, as it was listed.
    /// - Returns: The outcome.
    /// - Throws: ``SourceRemains``, to be tried again by this method only; `CancellationError`.
    func finish(_ outcome: Outcome, _ original: FileObject) async throws -> Outcome {
        do {
            // Others have been looked at when they were written.
            if outcome.unseen != nil { try await target.requireCopy(at: outcome.action.path, of: original) }
            try await remover.remove(original)
            var seen = outcome
            seen.unseen = nil
            return seen
        } catch let error as CancellationError {
            throw error
        } catch {
            throw SourceRemains(outcome: outcome, original: original, reason: error)
        }
    }

    /// Gives a file that was copied together with others what the storage has not kept of it.
    ///
    /// - Parameters:
    ///   - action: The action that was done.
    ///   - hasExtendedAttributes: `true` if the original has any; `nil` if nobody has looked.
    /// - Returns: The losses of the file.
    /// - Throws: `CancellationError`.
    func keepRest(
        of action: TransferAction,
        hasExtendedAttributes: Bool?
    ) async throws -> Set<TransferReport.Loss> {
        guard let original = action.source else { return [] }
        var losses = copier.losses(of: original)
        if !isOneStorage {
            let place = target.path(action.path)
            try await keeper.keep(original, at: place, &losses, hasExtendedAttributes: hasExtendedAttributes)
        }
        return losses
    }

    /// Makes sure that what is replaced is what was listed, and keeps it in the backup folder.
    ///
    /// - Returns: `true` if something is there to be replaced.
    private func prepareReplacing(_ action: TransferAction, _ attempt: Attempt) async throws -> Bool {
        // A write that the storage makes on a condition needs no look, unless an earlier try may have changed something.
        if !attempt.isRepeated, backup == nil, direct == nil, copier.writesOnCondition(action) { return true }
        return try await copier.replaced.prepare(action, isKept: attempt.isResent)
    }

    private func move(
        _ original: FileObject,
        _ action: TransferAction,
        _ isReplacing: Bool,
        _ isRepeated: Bool
    ) async throws {
        let place = target.path(action.path)
        do {
            try await target.storage.moveItem(path: original.path, to: place, overwrite: isReplacing)
        } catch let error as CocoaError where error.code == .fileNoSuchFile && isRepeated {
            guard try await isDone(action) else { throw error }
        }
    }

    /// Leaves a file whose content is the same after all, which one of the storages can tell by a checksum.
    ///
    /// - Returns: The outcome if it need not be copied; `nil` if it has to be copied.
    private func sparedCopy(of original: FileObject, _ action: TransferAction) async throws -> Outcome? {
        guard action.kind == .update, let other = action.target,
            action.reason == .date || (action.reason == .unknown && options.comparison == .checksum),
            try await contents.isSameByChecksum(original, other, readsBoth: action.reason == .unknown) == true
        else { return nil }
        var done = action
        done.removesSource = false
        if comparison.datesDiffer(original, other), keeper.settable.contains(.fileDates) {
            (done.kind, done.reason) = (.setDates, .date)
        } else if keeper.mustPermit(original, other) {
            (done.kind, done.reason) = (.setDates, .permissions)
        } else {
            (done.kind, done.reason) = (.skip, .same)
        }
        if done.kind == .setDates { try await keeper.align(done, at: target.path(action.path)) }
        if action.removesSource { (done.kind, done.reason) = (.removeSource, .same) }
        return Outcome(action: done)
    }

    /// Returns whether an error is one that a second try meets where the first has gone well.
    private func mayMeanDone(_ error: any Error) -> Bool {
        (error as? CocoaError)?.code == .fileWriteFileExists
            || (error as? any FileProviderHTTPError)?.statusCode == 412
    }
}
