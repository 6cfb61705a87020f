import FerryCore
import Foundation

/// Indicates whether something may begin, and whether it is done already.
extension ActionPerformer {
    /// Makes sure that something may be done.
    ///
    /// - Parameters:
    ///   - action: The action to be done.
    ///   - isRepeated: `true` if an earlier try may have done it.
    ///   - check: Throws if it may not be done.
    /// - Returns: The value that `check` returns; `nil` if the action is done already.
    /// - Throws: ``NothingDone``; `CancellationError`.
    func unlessDone<Value>(
        _ action: TransferAction,
        _ isRepeated: Bool,
        _ check: (TransferAction) async throws -> Value
    ) async throws -> Value? {
        try await beforeChange {
            do {
                return try await check(action)
            } catch let error as CocoaError where error.code == .fileNoSuchFile && action.kind == .remove {
                return nil
            } catch let error where isRepeated && !(error is CancellationError) {
                // The item's change since then may be our own work.
                guard try await isDone(action) else { throw error }
                return nil
            }
        }
    }

    /// Does what changes nothing yet.
    ///
    /// - Parameter body: The work.
    /// - Returns: The value that the work returns.
    /// - Throws: ``NothingDone``; `CancellationError`.
    func beforeChange<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw NothingDone(reason: error)
        }
    }

    /// Returns whether an earlier try, whose answer got lost, has done it: as far as that can be seen of one item.
    ///
    /// - Parameter action: The action that was to be done.
    /// - Returns: `false` also where nobody can tell.
    /// - Throws: Any error that the storages throw.
    func isDone(_ action: TransferAction) async throws -> Bool {
        let place = target.path(action.path)
        do {
            switch action.kind {
            case .add, .update:
                guard let original = action.source else { return false }
                if isOneStorage, action.removesSource {
                    if try await exists(original.path, at: source) { return false }
                    return isLike(original, try await target.storage.attributesOfItem(path: place))
                }
                // Of what is in a folder this says nothing.
                if original.isDirectory { return false }
                let written = try await target.storage.attributesOfItem(path: place)
                guard comparison.compare(original, with: written) == .same else { return false }
                if !action.removesSource || comparison.isCertain(original, written) { return true }
                // Only what is in them tells, before the original goes.
                return try await contents.isSameByContents(original, written)
            case .rename:
                guard let item = action.target, let from = action.from else { return false }
                if try await exists(target.path(from), at: target) { return false }
                return isLike(item, try await target.storage.attributesOfItem(path: place))
            case .setDates:
                guard let original = action.source else { return false }
                let now = try await target.storage.attributesOfItem(path: place)
                return !comparison.datesDiffer(original, now) && !keeper.mustPermit(original, now)
            case .removeSource:
                guard let original = action.source else { return false }
                return try await !exists(original.path, at: source)
            case .remove: return try await !exists(place, at: target)
            case .makeFolder, .skip, .refuse: return false
            }
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return false
        }
    }

    /// Returns whether an earlier run of the same job has done it, whose request the server may have finished only
    /// after that run had ended and this one had looked.
    ///
    /// - Parameter action: The action that was to be done.
    /// - Returns: `true` only if what is there has the length of the original, and its date or its content.
    /// - Throws: Any error that the storages throw.
    func wasDoneByEarlierRun(_ action: TransferAction) async throws -> Bool {
        guard copier.journal?.isResumed == true, let original = action.source, original.isRegularFile,
            try await isDone(action)
        else { return false }
        let written = try await target.storage.attributesOfItem(path: target.path(action.path))
        if comparison.isCertain(original, written) { return true }
        return try await contents.isSameByContents(original, written)
    }

    /// Returns what has come of an action whose answer did not come in time: it may be done, and is not asked for once
    /// more.
    ///
    /// - Parameter action: The action that was to be done.
    /// - Returns: The outcome; `nil` if it is not done.
    /// - Throws: ``SourceRemains``; what the storages throw.
    func outcomeAfterSilence(of action: TransferAction) async throws -> Outcome? {
        if action.kind == .makeFolder {
            let item = try await target.storage.attributesOfItem(path: target.path(action.path))
            return item.isDirectory ? Outcome(action: action) : nil
        }
        return try await isDone(action) ? try await finish(action) : nil
    }

    private func exists(_ path: ItemPath, at place: TransferPlace) async throws -> Bool {
        try await place.storage.attributesIfExists(path: path) != nil
    }

    private func isLike(_ item: FileObject, _ other: FileObject) -> Bool {
        item.type == other.type && (item.isDirectory || item.size == other.size)
    }
}
