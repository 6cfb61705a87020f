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

/// Somebody wants to know when a progress is cancelled.
package final class CancellationWatch: Sendable {
    /// All who watch one progress.
    private struct Watchers {
        let handlerBefore: (@Sendable () -> Void)?
        var actions: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    /// For the whole process, since a `Progress` can't hold this itself: who has set its handler doesn't ask us.
    private static let watchers = Mutex<[ObjectIdentifier: Watchers]>([:])

    private let progress: Progress

    fileprivate init(_ progress: Progress, _ action: @escaping @Sendable () -> Void) {
        self.progress = progress
        let key = ObjectIdentifier(progress)
        Self.watchers.withLock { all in
            var watchers = all[key] ?? Self.attach(to: progress, key)
            watchers.actions[ObjectIdentifier(self)] = action
            all[key] = watchers
        }
        // It may have been cancelled before there was a handler.
        if progress.isCancelled { action() }
    }

    deinit { end() }

    /// Nobody wants to know any more.
    package func end() {
        let key = ObjectIdentifier(progress)
        Self.watchers.withLock { all in
            guard all[key]?.actions.removeValue(forKey: ObjectIdentifier(self)) != nil,
                let watchers = all[key], watchers.actions.isEmpty
            else { return }
            all[key] = nil
            // Setting the handler of a cancelled progress calls it once more.
            if !progress.isCancelled { progress.cancellationHandler = watchers.handlerBefore }
        }
    }

    private static func attach(to progress: Progress, _ key: ObjectIdentifier) -> Watchers {
        let before = progress.cancellationHandler
        if !progress.isCancelled {
            progress.cancellationHandler = {
                before?()
                for action in actions(of: key) { action() }
            }
        }
        return Watchers(handlerBefore: before)
    }

    private static func actions(of key: ObjectIdentifier) -> [@Sendable () -> Void] {
        watchers.withLock { all in all[key].map { Array($0.actions.values) } ?? [] }
    }
}
