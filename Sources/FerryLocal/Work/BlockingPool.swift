import Foundation
import NIOPosix
import Synchronization

/// The threads on which calls may block, so that Swift's cooperative threads never do.
struct BlockingPool: Sendable {
    /// The pool that providers share unless they are given another: a machine has one set of disks.
    static let shared = BlockingPool(threadCount: sharedThreadCount)

    private static let sharedThreadCount = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)

    /// Threads that wait for a person.
    private static let waiting = Atomic(0)

    private let threads: NIOThreadPool
    private let brief: BriefWork

    /// Starts threads.
    ///
    /// - Parameter threadCount: How many calls may block at the same time.
    init(threadCount: Int) {
        threads = NIOThreadPool(numberOfThreads: threadCount)
        threads.start()
        brief = BriefWork(mostWorkers: threadCount) { [threads] body in threads.submit { _ in body() } }
    }

    /// Runs short work on one of the threads, unless the task is cancelled already.
    ///
    /// - Parameter body: Work that may block.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws; `CancellationError`, and then it was not begun.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        return try await runAlways(body)
    }

    /// Runs work on one of the threads, whether or not the task is cancelled: work that cleans up.
    ///
    /// - Parameter body: Work that may block.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws.
    func runAlways<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            threads.submit { _ in continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Runs work that takes no longer than waking a thread, such as reading or writing a small file, unless the task is
    /// cancelled already.
    ///
    /// - Parameter body: Work that may block, but does not for long as a rule.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws; `CancellationError`, and then it was not begun.
    func runBriefly<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            brief.add { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Runs work that can be ended halfway.
    ///
    /// - Parameters:
    ///   - job: The job, which is cancelled with the task.
    ///   - body: Work that asks the job now and then.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws.
    func run<Result: Sendable>(
        _ job: Job,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await runAlways(body)
        } onCancel: {
            job.cancel()
        }
    }

    /// Lets the calling thread wait for a person, unless all others do: then it goes on, so that no call of somebody else
    /// waits with them.
    ///
    /// - Parameter body: Waits.
    static func whileWaiting(_ body: () -> Void) {
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard waiting.add(1, ordering: .relaxed).newValue < sharedThreadCount else { return }
        body()
    }

    /// Starts work that nobody waits for.
    func start(_ body: @escaping @Sendable () -> Void) {
        threads.submit { _ in body() }
    }
}
