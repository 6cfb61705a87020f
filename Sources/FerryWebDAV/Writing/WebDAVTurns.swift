import FerryCore
import Synchronization

/// Lets one after the other at a file, in the order in which they came.
final class WebDAVTurns: Sendable {
    /// The writers that wait at each file that another one is at.
    private let waiting = Mutex<[ItemPath: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits until nobody else is at a file.
    ///
    /// - Parameter path: The file.
    func take(_ path: ItemPath) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[path] != nil else {
                    waiting[path] = []
                    return true
                }
                waiting[path]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Lets the next one at a file.
    ///
    /// - Parameter path: The file, of which the turn was taken.
    func leave(_ path: ItemPath) {
        let next: CheckedContinuation<Void, Never>? = waiting.withLock { waiting in
            guard var queue = waiting[path], !queue.isEmpty else {
                waiting[path] = nil
                return nil
            }
            let next = queue.removeFirst()
            waiting[path] = queue
            return next
        }
        next?.resume()
    }
}
