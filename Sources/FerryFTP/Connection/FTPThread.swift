import Dispatch
import Foundation
import Synchronization

/// A thread that does one piece of blocking work after the other: each connection has one, so that no call of libcurl
/// runs on Swift's cooperative threads.
final class FTPThread: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var isEnding = false
    }

    /// The state that the thread itself holds, so that it doesn't keep its owner alive.
    private final class Queue: Sendable {
        let state = Mutex(State())
        let semaphore = DispatchSemaphore(value: 0)

        func run() {
            // Writing to a connection that is gone must not end the process; libcurl leaves that to its user.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            while true {
                semaphore.wait()
                let (work, isOver) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                    if state.work.isEmpty { return (nil, state.isEnding) }
                    return (state.work.removeFirst(), false)
                }
                work?()
                if isOver { return }
            }
        }
    }

    private let queue = Queue()

    /// Starts the thread.
    init() {
        let queue = queue
        let thread = Thread { queue.run() }
        thread.name = "ferry-ftp"
        thread.stackSize = 1 << 20
        thread.start()
    }

    deinit {
        queue.state.withLock { $0.isEnding = true }
        queue.semaphore.signal()
    }

    /// Has something done, after what was added before.
    func add(_ work: @escaping @Sendable () -> Void) {
        queue.state.withLock { $0.work.append(work) }
        queue.semaphore.signal()
    }

    /// Has something done, and waits for it without a thread.
    ///
    /// - Parameter body: Work that may block.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            add { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
