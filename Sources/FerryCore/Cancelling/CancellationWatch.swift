package import Foundation
import Synchronization

extension Progress {
    /// Does something when the progress is cancelled, until the watch ends.
    ///
    /// `Progress` has room for one handler only, and several pieces of work may count on one. All who watch share that
    /// handler; one that was set before is called too, and set again when nobody watches any more.
    ///
    /// - Parameter action: Called at least once when the progress is cancelled, on any thread; at once if it is
    ///   cancelled already.
    /// - Returns: The watch, which ends with its last reference at the latest.
    package func watchCancellation(_ action: @escaping @Sendable () -> Void) -> CancellationWatch {
        CancellationWatch(self, action)
    }
}

/// A watch on a progress: its action is called when the progress is cancelled.
package final class CancellationWatch: Sendable {
    /// All who watch one progress.
    ///
    /// The progress's handler holds this, not the progress's address: on Linux it is called later, on another thread, when
    /// the progress may be gone and another be in its place.
    ///
    /// It stays in the progress's `userInfo` when nobody watches any more: streams come and go, and on Linux each change
    /// of `userInfo` is a risk for code that reads it without the lock of ``Foundation/Progress/fact(_:as:)``.
    private final class Watchers: Sendable {
        struct State {
            var handlerBefore: (@Sendable () -> Void)?
            var actions: [ObjectIdentifier: @Sendable () -> Void] = [:]
        }

        let state = Mutex(State())

        func tell() {
            let (handler, actions) = state.withLock { ($0.handlerBefore, Array($0.actions.values)) }
            handler?()
            for action in actions { action() }
        }
    }

    /// Held while a progress is given its first watcher, or loses its last one.
    private static let attaching = Mutex(())

    private let progress: Progress

    fileprivate init(_ progress: Progress, _ action: @escaping @Sendable () -> Void) {
        self.progress = progress
        Self.attaching.withLock { _ in
            let watchers = Self.watchers(of: progress)
            let isFirst = watchers.state.withLock { state in
                defer { state.actions[ObjectIdentifier(self)] = action }
                return state.actions.isEmpty
            }
            // Setting the handler of a cancelled progress calls it once more.
            guard isFirst, !progress.isCancelled else { return }
            let handler = progress.cancellationHandler
            watchers.state.withLock { $0.handlerBefore = handler }
            progress.cancellationHandler = { watchers.tell() }
        }
        // It may have been cancelled before there was a handler.
        if progress.isCancelled { action() }
    }

    deinit { end() }

    /// Ends the watch: its action is not called any more.
    package func end() {
        Self.attaching.withLock { _ in
            guard let watchers = progress.fact(.watchersKey, as: Watchers.self) else { return }
            let isLast = watchers.state.withLock { state in
                state.actions.removeValue(forKey: ObjectIdentifier(self)) != nil && state.actions.isEmpty
            }
            guard isLast, !progress.isCancelled else { return }
            let handler = watchers.state.withLock { state in
                defer { state.handlerBefore = nil }
                return state.handlerBefore
            }
            progress.cancellationHandler = handler
        }
    }

    private static func watchers(of progress: Progress) -> Watchers {
        if let known = progress.fact(.watchersKey, as: Watchers.self) { return known }
        let watchers = Watchers()
        progress.setFact(watchers, forKey: .watchersKey)
        return watchers
    }
}

extension ProgressUserInfoKey {
    /// The watchers of a progress, from the first one on.
    fileprivate static let watchersKey = ProgressUserInfoKey("FerryCancellationWatchers")
}
