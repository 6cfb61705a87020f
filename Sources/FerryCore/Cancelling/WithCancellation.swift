package import Foundation

/// Runs work that ends promptly when the progress is cancelled, also while it waits.
///
/// - Parameters:
///   - progress: The progress whose cancelling ends the work; its own cancellation handler is called too.
///   - body: The work.
/// - Returns: The value that the work returns.
/// - Throws: Any error that the work throws.
package func withCancellation<Result: Sendable>(
    by progress: Progress?,
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    guard let progress else { return try await body() }
    try Optional(progress).checkCancellation()
    // One task, and no group of them: streams come here with each chunk.
    let work = Task { try await body() }
    let watch = progress.watchCancellation { work.cancel() }
    defer { watch.end() }
    return try await withTaskCancellationHandler {
        try await work.value
    } onCancel: {
        work.cancel()
    }
}

/// Does something to its end although the task may be cancelled: so that what was begun is tidied up.
///
/// It runs in a task of its own, which cancelling doesn't reach; the caller waits for it. Nothing else is its purpose:
/// what a caller can wait long for must end when it is cancelled.
///
/// - Parameter body: The work.
/// - Returns: The value that it returns.
/// - Throws: Any error that it throws.
package func uncancelled<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await Task<Result<Value, Failure>, Never> {
        do throws(Failure) {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }.value.get()
}

/// Does some work for a limited time.
///
/// - Parameters:
///   - limit: The time.
///   - clock: The clock that measures it.
///   - fallback: The value to return when the time is over.
///   - body: The work, which is cancelled when the time is over, and waited for.
/// - Returns: The work's value, or the fallback.
/// - Throws: The work's error; `CancellationError`.
package func withTimeLimit<Result: Sendable>(
    _ limit: Duration,
    on clock: any Clock<Duration>,
    orReturn fallback: Result,
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask(operation: body)
        group.addTask {
            try await clock.sleep(for: limit)
            return fallback
        }
        defer { group.cancelAll() }
        return try await group.next() ?? fallback
    }
}
