import Synchronization

/// A question that is under way, and who waits for its answer; who has begun it has ticket 0.
final class CoalescedRequest<Value: Sendable>: SharedAnswer {
    private struct State {
        var waiting: [Int: CheckedContinuation<Value, any Error>?] = [0: nil]
        var nextTicket = 1
        var task: Task<Void, Never>?
        var answer: Result<Value, any Error>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    var askerCount: Int { state.withLock { $0.waiting.count } }

    /// Joins those who wait.
    ///
    /// - Returns: A ticket; `nil` if nobody waits any more, or the answer is there already.
    func join() -> Int? {
        state.withLock { state in
            guard !state.isCancelled, state.answer == nil else { return nil }
            defer { state.nextTicket += 1 }
            state.waiting[state.nextTicket] = .some(nil)
            return state.nextTicket
        }
    }

    /// Remembers the task that asks.
    ///
    /// - Parameter task: The task that is cancelled when nobody waits any more.
    func take(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Waits for the answer.
    ///
    /// - Parameters:
    ///   - continuation: Gets the answer.
    ///   - ticket: The ticket of the asker.
    func wait(_ continuation: CheckedContinuation<Value, any Error>, ticket: Int) {
        let answer = state.withLock { state -> Result<Value, any Error>? in
            guard state.waiting.keys.contains(ticket) else { return .failure(CancellationError()) }
            guard state.answer == nil else { return state.answer }
            state.waiting[ticket] = continuation
            return nil
        }
        if let answer { continuation.resume(with: answer) }
    }

    /// Leaves before the answer is there; the last one cancels the question.
    ///
    /// - Parameter ticket: The ticket of the asker.
    /// - Returns: `true` if it was the last one.
    func leave(_ ticket: Int) -> Bool {
        let (continuation, task, isLast) = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: ticket) ?? nil
            let isLast = state.waiting.isEmpty && state.answer == nil
            if isLast { state.isCancelled = true }
            return (continuation, isLast ? state.task : nil, isLast)
        }
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
        return isLast
    }

    /// Gives everybody the answer.
    ///
    /// - Parameter answer: The answer.
    func finish(_ answer: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            state.answer = answer
            state.task = nil
            let waiting = state.waiting.values.compactMap(\.self)
            for ticket in state.waiting.keys { state.waiting[ticket] = .some(nil) }
            return waiting
        }
        for continuation in waiting { continuation.resume(with: answer) }
    }
}
