/// Does some work for a limited time.
///
/// - Parameters:
///   - fallback: The value to return when the time is over.
///   - timeout: The time.
///   - clock: The clock that measures it.
///   - body: The work, which is cancelled when the time is over, and waited for.
/// - Returns: The work's value, or the fallback.
/// - Throws: The work's error; `CancellationError`.
package func firstResult<Result: Sendable>(
    or fallback: Result,
    after timeout: Duration,
    on clock: any Clock<Duration>,
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask(operation: body)
        group.addTask {
            try await clock.sleep(for: timeout)
            return fallback
        }
        defer { group.cancelAll() }
        return try await group.next() ?? fallback
    }
}
