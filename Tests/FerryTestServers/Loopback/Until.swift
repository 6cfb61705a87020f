/// Something did not come to be in time.
public struct NeverHappened: Error, CustomStringConvertible {
    /// The condition in words, and how long somebody waited.
    public let description: String
}

/// Waits until something is so that nobody tells us of: asks again and again, and gives up loudly.
///
/// - Parameters:
///   - what: The condition, in words.
///   - limit: How long at most; it guards against hanging, and no test is about it.
///   - isSo: Returns `true` if the condition holds.
/// - Throws: ``NeverHappened``; any error that `isSo` throws; `CancellationError`.
public func until(
    _ what: String,
    within limit: Duration = .seconds(300),
    _ isSo: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !isSo() {
        guard ContinuousClock.now < end else { throw NeverHappened(description: "not within \(limit): \(what)") }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Waits until the task is cancelled.
public func untilCancelled() async {
    for await _ in AsyncStream<Never>.makeStream().stream {}
}
