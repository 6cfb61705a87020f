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
