package import Foundation

/// Runs work that ends promptly when the progress is cancelled, also while it waits.
///
/// - Parameters:
///   - progress: Whose cancelling ends the work; its own cancellation handler is called too.
///   - body: The work.
/// - Returns: What the work returns.
/// - Throws: What the work throws.
package func withCancellation<Result: Sendable>(
    by progress: Progress?,
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    guard let progress else { return try await body() }
    try Optional(progress).checkCancellation()
    let (cancelled, signal) = AsyncStream<Void>.makeStream()
    let watch = progress.watchCancellation { signal.finish() }
    defer { watch.end() }
    return try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            for await _ in cancelled {}
            return nil
        }
        let first = try await group.next() ?? nil
        group.cancelAll()
        guard let first else {
            // The work may have come to its end all the same; what it did is then done.
            guard let result = try await group.next() ?? nil else { throw CancellationError() }
            return result
        }
        return first
    }
}
