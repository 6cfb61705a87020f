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
///
/// A progress that is cancelled tells its watchers on another thread on Linux (Foundation's `Progress.cancel()`), which has
/// its turn when the work may be over; a task knows it at once.
package func inCancellableTask<Result: Sendable>(
    _ body: @escaping @Sendable (TaskCanceller) async throws -> Result
) async throws -> Result {
    let canceller = TaskCanceller()
    // Unstructured on purpose: a task of its own can be cancelled alone.
    let task = canceller.target.withLock { target in
        let task = Task { try await body(canceller) }
        target = { task.cancel() }
        return task
    }
    return try await task.value
}

/// Cancels the task that it was made for.
package final class TaskCanceller: Sendable {
    fileprivate let target = Mutex<(@Sendable () -> Void)?>(nil)

    /// Cancels the task.
    package func cancel() {
        target.withLock { $0 }?()
    }
}
