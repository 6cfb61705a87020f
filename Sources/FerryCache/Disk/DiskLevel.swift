import FerryCore
import Foundation
import Logging
import Synchronization

/// The answers and contents that are kept on the disk, for all processes.
///
/// Where the disk can't be used, everything is a miss. An index that is damaged, or that can't record a change, is
/// removed with all that it has: better nothing than what is wrong. All calls wait for the disk.
final class DiskLevel: Sendable {
    private struct State {
        var index: DiskIndex?
        /// Calls since opening has failed; `nil` if it has not.
        var failedFor: Int?
        /// Indicates whether something has changed that the index could not be told.
        var hasMissedChange = false
        /// How often the index was made anew.
        var replacements = 0
    }

    /// So many calls later, opening is tried again.
    private static let patience = 256

    let folder: IndexFolder
    /// Tells this process from others.
    let process: Int64
    private let logger: Logger?
    private let trace: (@Sendable (String) -> Void)?
    private let state = Mutex(State())
    /// Bytes that may be kept, which may have been more when the index was last used.
    private let limit: Mutex<Int64>

    init(_ directory: String, limit: Int64 = .max, logger: Logger?, trace: (@Sendable (String) -> Void)? = nil) {
        folder = IndexFolder(directory: directory)
        self.limit = Mutex(limit)
        process = .random(in: 1 ... .max)
        self.logger = logger
        self.trace = trace
    }

    /// How often the index was made anew.
    var replacements: Int { state.withLock { $0.replacements } }

    /// Does something with the index.
    ///
    /// - Parameters:
    ///   - isChange: `true` if the index must learn of it: if it can't, it is removed.
    ///   - body: The work.
    /// - Returns: The value that `body` returns; `nil` if the disk doesn't work.
    @discardableResult
    func perform<Value>(isChange: Bool = false, _ body: (DiskIndex) throws -> Value) -> Value? {
        guard let index = current() else {
            if isChange { missChange() }
            return nil
        }
        return perform(on: index, isChange: isChange, body)
    }

    /// Does something with an index that was opened before.
    @discardableResult
    func perform<Value>(on index: DiskIndex, isChange: Bool = false, _ body: (DiskIndex) throws -> Value) -> Value? {
        do {
            return try body(index)
        } catch {
            logger?.debug("the cache's index did not work", metadata: ["error": "\(error)"])
            if isChange || error.meansDamage { replace(index) }
            return nil
        }
    }

    /// Indicates whether there is something that should be gone, and can't be removed.
    var hasMissedChange: Bool { state.withLock { $0.hasMissedChange } }

    /// An index that can't be told of a change goes at once, since this process may end before it can be told.
    private func missChange() {
        state.withLock { state in
            // It may work by now.
            if state.index == nil { discard(&state) }
        }
    }

    /// Removes all that is kept, for all processes.
    func removeAll() {
        let index = state.withLock { $0.index }
        // An index that can't be opened is removed too.
        replace(index ?? current())
    }

    // MARK: Opening

    private func current() -> DiskIndex? {
        state.withLock { state in
            if let index = state.index {
                if index.isInPlace { return index }
                state.index = nil
            }
            if let calls = state.failedFor, calls < Self.patience {
                state.failedFor = calls + 1
                return nil
            }
            open(&state)
            return state.index
        }
    }

    private func open(_ state: inout State) {
        do {
            state.index = try folder.locked {
                if state.hasMissedChange {
                    guard folder.discard() else { throw CocoaError(.fileWriteNoPermission) }
                    state.hasMissedChange = false
                }
                folder.removeLeftovers()
                do {
                    return try DiskIndex(folder, process: process, trace: trace)
                } catch  where error.meansDamage {
                    state.replacements += 1
                    guard folder.discard() else { throw error }
                    return try DiskIndex(folder, process: process, trace: trace)
                }
            }
            state.failedFor = nil
        } catch {
            logger?.debug("nothing is cached on the disk", metadata: ["error": "\(error)"])
            state.failedFor = 0
        }
        if let index = state.index { CacheThreads.start { self.tidy(index) } }
    }

    /// Changes how many bytes may be kept, and removes what is too much.
    ///
    /// - Parameter limit: The bytes.
    func setLimit(_ limit: Int64) {
        self.limit.withLock { $0 = limit }
        perform { try $0.shrink(to: limit) }
        perform { try $0.removeDoomed() }
    }

    /// Removes what killed processes have left, and what is more than may be kept by now.
    private func tidy(_ index: DiskIndex) {
        let limit = limit.withLock { $0 }
        perform(on: index) { index in
            try index.shrink(to: limit)
            try index.removeDoomed()
            try index.sweep()
        }
    }

    /// Removes an index with all that it has; another is made when it is needed.
    private func replace(_ index: DiskIndex?) {
        state.withLock { state in
            if let current = state.index, current === index { state.index = nil }
            // Somebody else may have done so already.
            if let index, !index.isInPlace { return }
            discard(&state)
        }
    }

    private func discard(_ state: inout State) {
        state.replacements += 1
        do {
            let isGone = try folder.locked { folder.discard() }
            if !isGone { throw CocoaError(.fileWriteNoPermission) }
            state.hasMissedChange = false
        } catch {
            logger?.debug("the cache's index can't be removed", metadata: ["error": "\(error)"])
            state.hasMissedChange = true
            state.failedFor = 0
        }
    }
}
