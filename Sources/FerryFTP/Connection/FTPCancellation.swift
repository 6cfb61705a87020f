import Synchronization

/// A switch that ends a blocking call from outside, promptly.
final class FTPCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var nextKey = 0
        var wakers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Indicates whether the call is to end.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the call.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Under the lock: who wakes something must not find it gone. They only write to a pipe or a semaphore.
            for wake in state.wakers.values { wake() }
        }
    }

    /// Calls something when the call is to end, as long as a body runs.
    ///
    /// - Parameters:
    ///   - wake: Called under a lock: it must not wait, nor ask this switch.
    ///   - body: The blocking call.
    /// - Returns: The value that the body returns.
    /// - Throws: Any error that the body throws.
    @discardableResult
    func waking<Result>(_ wake: @escaping @Sendable () -> Void, _ body: () throws -> Result) rethrows -> Result {
        let key = state.withLock { state in
            state.nextKey += 1
            state.wakers[state.nextKey] = wake
            if state.isCancelled { wake() }
            return state.nextKey
        }
        defer { state.withLock { $0.wakers[key] = nil } }
        return try body()
    }
}
