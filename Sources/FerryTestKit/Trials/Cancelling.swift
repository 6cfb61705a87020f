import Synchronization

/// Does work in a task that is cancelled before it begins.
func inCancelledTask<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    // Unstructured on purpose: a task of its own can be cancelled alone.
    try await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await body()
    }.value
}

/// Does work in a task that something inside of it can cancel.
func inCancellableTask<Result: Sendable>(
    _ body: @escaping @Sendable (TaskCanceller) async throws -> Result
) async throws -> Result {
    let canceller = TaskCanceller()
    // Unstructured on purpose: a task of its own can be cancelled alone.
    let task = Task { try await body(canceller) }
    canceller.target.withLock { $0 = { task.cancel() } }
    return try await task.value
}

/// Cancels the task that it was made for.
final class TaskCanceller: Sendable {
    fileprivate let target = Mutex<(@Sendable () -> Void)?>(nil)

    /// Cancels the task, once it is known which one.
    func cancel() async {
        while true {
            if let cancel = target.withLock({ $0 }) { return cancel() }
            await Task.yield()
        }
    }
}
