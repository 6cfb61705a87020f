import Synchronization

/// Work that is done once for all who ask while it is under way.
///
/// Whoever stops waiting doesn't stop it for the others.
final class SharedWork<Value: Sendable>: Sendable {
    private let current = Mutex<Task<Value, any Error>?>(nil)

    /// Waits for the work that is under way, or starts it.
    ///
    /// - Parameter work: The work to do, unless somebody is doing it.
    /// - Returns: The value that the work returned.
    /// - Throws: Any error that the work threw; `CancellationError` when the calling task is cancelled.
    func value(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = current.withLock { current in
            if let current { return current }
            let task = Task { [self] in
                defer { self.current.withLock { $0 = nil } }
                return try await work()
            }
            current = task
            return task
        }
        // Waiting for a task can't be cancelled; waiting for a stream can.
        let (results, continuation) = AsyncStream<Result<Value, any Error>>.makeStream()
        Task {
            continuation.yield(await task.result)
            continuation.finish()
        }
        for await result in results { return try result.get() }
        throw CancellationError()
    }
}
