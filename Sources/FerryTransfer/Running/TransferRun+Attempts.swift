import FerryCore
import Foundation

// The work itself: tried once, or as often as it takes.

extension TransferRun {
    /// Does something, as often as it takes.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - wasBegun: `true` if it may be done already.
    /// - Returns: `true` if it was done.
    /// - Throws: An error that ends everything.
    func performFully(_ action: TransferAction, wasBegun: Bool) async throws -> Bool {
        var work = WorkQueue.Item(action: action, wasBegun: wasBegun)
        while true {
            switch try await attempt(work) {
            case .again(let items, _):
                guard let next = items.first else { return false }
                work = next
            case .done(let isDone, _): return isDone
            case .closed, .looked, .opened: return false
            }
        }
    }

    /// Tries once to do something.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - readAhead: The content that was read of the source already.
    /// - Returns: The result.
    /// - Throws: An error that ends everything.
    func attempt(_ work: WorkQueue.Item, readAhead: ReadAhead? = nil) async throws -> Step {
        try await control?.pass()
        if work.action.kind == .skip {
            ledger.did(work.action, work.action.lossesOfSkipping)
            return .done(isDone: true, isOverloaded: false)
        }
        let item = work.item ?? ledger.began(work.action)
        var begun = work
        begun.item = item
        do {
            let outcome: ActionPerformer.Outcome
            if let remains = work.remains {
                outcome = try await performer.finish(remains.outcome, remains.original)
            } else {
                let attempt = ActionPerformer.Attempt(
                    item: item,
                    isRepeated: work.wasBegun,
                    isResent: work.sendings > 0,
                    readAhead: readAhead
                )
                outcome = try await OperationContext.with(\.comingFiles, work.coming) {
                    try await performer.perform(work.action, attempt)
                }
            }
            retryState.succeeded()
            note(outcome, of: begun)
            return .done(isDone: true, isOverloaded: false)
        } catch {
            return try await recover(begun, from: error)
        }
    }

    private func note(_ outcome: ActionPerformer.Outcome, of work: WorkQueue.Item) {
        ledger.did(outcome.action, outcome.losses, work.item, planned: work.action, copied: outcome.copied)
        walk.uploads?.note(outcome.action)
        guard let unseen = outcome.unseen else { return }
        review.add(unseen, of: outcome.action, losses: outcome.losses, attempt: work.sendings + 1)
    }

    /// Decides what comes of work that was begun and has failed.
    private func recover(_ work: WorkQueue.Item, from error: any Error) async throws -> Step {
        switch error {
        case is CancellationError: throw error
        case let remains as ActionPerformer.SourceRemains:
            var rest = work
            rest.remains = remains
            return try await end(rest, remains.reason)
        case let early as ActionPerformer.NothingDone: return try await end(work, early.reason)
        default: try Task.checkCancellation()
        }
        if error.isAnswerTimeOut {
            do {
                if let outcome = try await performer.outcomeAfterSilence(of: work.action) {
                    note(outcome, of: work)
                    return .done(isDone: true, isOverloaded: true)
                }
            } catch let other where other is ActionPerformer.SourceRemains || other is CancellationError {
                return try await recover(work, from: other)
            } catch {
                // It can't be seen: so it is told that no answer came.
            }
        }
        if let item = work.item, mayOpen(work, after: error) {
            ledger.dissolve(item, work.action)
            // An item that is there although nothing was begun is somebody else's.
            let isOurs = work.wasBegun || (error as? CocoaError)?.code != .fileWriteFileExists
            return .opened(TransferFolder(whole: work.action, wasBegun: isOurs))
        }
        var begun = work
        begun.wasBegun = true
        return try await end(begun, error)
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
    private func end(_ work: WorkQueue.Item, _ error: any Error) async throws -> Step {
        let isOverloaded = RetryState.meansOverload(error)
        guard let next = try await retryState.next(after: work.trial, error) else {
            try fail(work.action, error, work.item)
            return .done(isDone: false, isOverloaded: isOverloaded)
        }
        if let item = work.item, work.remains == nil { ledger.restarted(item) }
        var again = work
        again.trial = next
        return .again([again], isOverloaded: isOverloaded)
    }

    /// Tries once to copy small files, one after the other, that are read in one go.
    func attempt(_ works: [WorkQueue.Item], readBy reader: BulkReader) async throws -> Step {
        try await control?.pass()
        var again: [WorkQueue.Item] = []
        var isOverloaded = false
        for (work, readAhead) in zip(works, try await reader.read(works)) {
            switch try await attempt(work, readAhead: readAhead) {
            case .done(_, let isTooMuch): isOverloaded = isOverloaded || isTooMuch
            case .again(let items, let isTooMuch):
                again += items
                isOverloaded = isOverloaded || isTooMuch
            case .looked, .closed, .opened: break  // of folders
            }
        }
        return .ended(again, isOverloaded: isOverloaded)
    }

    /// Tries once to copy small files in one go; those that fail are tried one by one.
    func attempt(_ bulk: [WorkQueue.Item], by copier: BulkCopier) async throws -> Step {
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
                retryState.succeeded()
                ledger.add(work.action.bytes, to: item)
                performer.copier.noteCopied(work.action)
                let losses = try await performer.keepRest(of: work.action, hasExtendedAttributes: hasAttributes)
                ledger.did(work.action, losses, item)
                walk.uploads?.note(work.action)
            case .failure(let error):
                isOverloaded = isOverloaded || RetryState.meansOverload(error)
                // By itself it is tried as often as any other.
                var next = work
                (next.trial.attempt, next.wasBegun, next.coming) = (2, true, nil)
                again.append(next)
            }
        }
        return .ended(again, isOverloaded: isOverloaded)
    }

    /// Notes a failure, which may end everything.
    func fail(_ action: TransferAction, _ error: any Error, _ item: TransferLedger.Item? = nil) throws {
        ledger.failed(action, error, item)
        if transfer.options.endsAtFirstFailure { throw error }
    }
}
