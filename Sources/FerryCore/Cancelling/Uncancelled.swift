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
