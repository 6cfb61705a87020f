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
    ///
    /// The progress's handler holds this, not the progress's address: on Linux it is called later, on another thread, when
    /// the progress may be gone and another be in its place.
    private final class Watchers: Sendable {
        let handlerBefore: (@Sendable () -> Void)?
        let actions = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

        init(handlerBefore: (@Sendable () -> Void)?) {
            self.handlerBefore = handlerBefore
        }

        func tell() {
            handlerBefore?()
            for action in actions.withLock({ Array($0.values) }) { action() }
        }
    }

    /// For the whole process, since a `Progress` can't hold this itself: who has set its handler doesn't ask us.
    ///
    /// While anybody watches a progress, it is held, and its address is its own.
    private static let watchers = Mutex<[ObjectIdentifier: Watchers]>([:])

    private let progress: Progress

    fileprivate init(_ progress: Progress, _ action: @escaping @Sendable () -> Void) {
        self.progress = progress
        let key = ObjectIdentifier(progress)
        Self.watchers.withLock { all in
            let watchers = all[key] ?? Self.attach(to: progress)
            watchers.actions.withLock { $0[ObjectIdentifier(self)] = action }
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
            guard let watchers = all[key] else { return }
            let isLast = watchers.actions.withLock { actions in
                actions.removeValue(forKey: ObjectIdentifier(self)) != nil && actions.isEmpty
            }
            guard isLast else { return }
            all[key] = nil
            // Setting the handler of a cancelled progress calls it once more.
            if !progress.isCancelled { progress.cancellationHandler = watchers.handlerBefore }
        }
    }

    private static func attach(to progress: Progress) -> Watchers {
        let watchers = Watchers(handlerBefore: progress.cancellationHandler)
        if !progress.isCancelled { progress.cancellationHandler = { watchers.tell() } }
        return watchers
    }
}
