/// Something did not come to be in time.
public struct NeverHappened: Error, CustomStringConvertible {
    /// The condition in words, and how long somebody waited.
    public let description: String
}

/// Waits until a condition holds that nobody reports: asks again and again, and gives up loudly.
///
/// - Parameters:
///   - what: The condition, in words; evaluated only when the wait has failed.
///   - limit: How long at most; it guards against hanging, and no test is about it.
///   - isSo: Returns `true` if the condition holds.
/// - Throws: ``NeverHappened``; any error that `isSo` throws; `CancellationError`.
public func until(
    _ what: @autoclosure () -> String,
    within limit: Duration = .seconds(1_500),
    _ isSo: () async throws -> Bool
) async throws {
    try await untilFound(what(), within: limit) { try await isSo() ? () : nil }
}

/// Waits until there is something that nobody reports: asks again and again, and gives up loudly.
///
/// - Parameters:
///   - what: The condition, in words; evaluated only when the wait has failed.
///   - limit: How long at most; it guards against hanging, and no test is about it.
///   - find: Returns the value, or `nil` if there is none yet.
/// - Returns: The value.
/// - Throws: ``NeverHappened``; any error that `find` throws; `CancellationError`.
public func untilFound<Value>(
    _ what: @autoclosure () -> String,
    within limit: Duration = .seconds(1_500),
    _ find: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + limit
    while true {
        if let value = try await find() { return value }
        guard ContinuousClock.now < end else { throw NeverHappened(description: "not within \(limit): \(what())") }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Waits until the task is cancelled.
public func untilCancelled() async {
    for await _ in AsyncStream<Never>.makeStream().stream {}
}
