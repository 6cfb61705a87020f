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
