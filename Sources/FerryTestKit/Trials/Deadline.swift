import Synchronization

/// Something took longer than anybody's patience.
struct DeadlinePassed: Error, CustomStringConvertible {
    let limit: Duration
    var description: String { "nothing happened for \(limit)" }
}

/// Waits for work, but not for ever, even if the work ignores that it is cancelled.
///
/// The limit guards against hanging; nothing waits for it when all is well.
func withDeadline<Result: Sendable>(
    _ limit: Duration,
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let race = Race<Result>()
    // Unstructured on purpose: a task group would wait for work that hangs.
    let work = Task {
        do { race.end(with: .success(try await body())) } catch { race.end(with: .failure(error)) }
    }
    let timer = Task {
        try await Task.sleep(for: limit)
        race.end(with: .failure(DeadlinePassed(limit: limit)))
    }
    defer {
        work.cancel()
        timer.cancel()
    }
    return try await withTaskCancellationHandler {
        try await race.result()
    } onCancel: {
        work.cancel()
    }
}

/// Takes the first of several endings.
final class Race<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiter: CheckedContinuation<Value, any Error>?
    }

    private let state = Mutex(State())

    func end(with result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: result)
    }

    func result() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Value, any Error>? in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
