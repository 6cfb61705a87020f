import Dispatch

/// Work that waits in the system's calls: it has a thread of its own, never one of Swift's cooperative ones.
enum BlockingWork {
    /// Does it.
    ///
    /// - Parameter body: The work; it is short, or looks after its own cancellation.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Swift.Result { try body() })
            }
        }
    }
}
