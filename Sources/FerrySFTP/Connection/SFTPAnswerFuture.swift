import Synchronization

/// A value that comes once, and for which several may wait.
final class SFTPAnswerFuture<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Gives the value; the first one counts.
    func complete(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            guard state.result == nil else { return [] as [CheckedContinuation<Value, any Error>] }
            state.result = result
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    /// Waits for the value.
    ///
    /// - Returns: The value.
    /// - Throws: The error that was given in its place; `CancellationError` at once when the task is cancelled.
    func value() async throws -> Value {
        try Task.checkCancellation()
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    if let result = state.result { return result }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiting[ticket] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: ticket) }
            continuation?.resume(throwing: CancellationError())
        }
    }
}
