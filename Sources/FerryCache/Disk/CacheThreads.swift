import Foundation
import NIOPosix

/// The threads that wait for the disk, so that Swift's cooperative ones never do.
enum CacheThreads {
    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: max(4, ProcessInfo.processInfo.activeProcessorCount))
        pool.start()
        return pool
    }()

    /// Does something that may wait for the disk, also in a task that is cancelled.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            pool.submit { _ in continuation.resume(returning: body()) }
        }
    }

    /// Begins something that nobody waits for.
    static func start(_ body: @escaping @Sendable () -> Void) {
        pool.submit { _ in body() }
    }
}
