import Dispatch
import Synchronization

/// Work on what passes, on a thread beside the one that passes it: in order, and never much behind.
///
/// One task adds.
final class WorkBeside: Sendable {
    /// Bytes that may wait when more are added.
    private static let capacity = 1 << 20
    /// Bytes that are not worth another thread.
    private static let smallSize = 64 << 10

    private struct State {
        var outstanding = 0
        var waiter: (limit: Int, continuation: CheckedContinuation<Void, Never>)?

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            guard let limit = waiter?.limit, outstanding <= limit else { return nil }
            return waiter.take()?.continuation
        }
    }

    private let queue = DispatchQueue(label: "ferry.checksums")
    private let state = Mutex(State())

    init() {}

    /// Adds work; waits while too much waits already.
    ///
    /// - Parameters:
    ///   - bytes: How much it is.
    ///   - work: The work.
    func add(_ bytes: Int, _ work: @escaping @Sendable () -> Void) async {
        let isIdle = state.withLock { state in
            let isIdle = state.outstanding == 0
            if !isIdle || bytes > Self.smallSize { state.outstanding += bytes + 1 }
            return isIdle
        }
        if isIdle, bytes <= Self.smallSize { return work() }
        queue.async { [self] in
            work()
            let waiter = state.withLock { state in
                state.outstanding -= bytes + 1
                return state.takeWaiter()
            }
            waiter?.resume()
        }
        await wait(until: Self.capacity)
    }

    /// Waits until all is done.
    func drain() async { await wait(until: 0) }

    private func wait(until limit: Int) async {
        if state.withLock({ $0.outstanding <= limit }) { return }
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                let isReady = state.outstanding <= limit
                if !isReady { state.waiter = (limit, continuation) }
                return isReady
            }
            if isReady { continuation.resume() }
        }
    }
}
