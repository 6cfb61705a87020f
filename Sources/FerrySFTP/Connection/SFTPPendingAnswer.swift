import Synchronization

/// The answer to a request that was sent, as soon as it comes.
///
/// So many requests can be under way before the first answer is waited for. When nobody holds it any more, the answer is
/// not waited for, and what it opens is closed: also where it came, but nobody has taken it.
final class SFTPPendingAnswer: Sendable {
    private let cell: SFTPAnswerCell
    private let abandon: @Sendable (_ untaken: SFTPResponse?) -> Void

    init(_ cell: SFTPAnswerCell, abandon: @escaping @Sendable (_ untaken: SFTPResponse?) -> Void) {
        self.cell = cell
        self.abandon = abandon
    }

    deinit { abandon(cell.close()) }

    /// Waits for the answer; once.
    ///
    /// - Returns: The answer, a status that says why not among them.
    /// - Throws: `CancellationError` at once when the task is cancelled; why the line has ended.
    func response() async throws -> SFTPResponse {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await cell.wait()
        } onCancel: {
            cancel()
        }
    }

    /// Ends the waiting with `CancellationError`.
    func cancel() { cell.complete(.failure(CancellationError())) }
}

/// Where an answer arrives.
final class SFTPAnswerCell: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<SFTPResponse, any Error>)
        case full(Result<SFTPResponse, any Error>)
        case taken
    }

    private let state = Mutex(State.empty)

    /// Puts in an answer; the first one counts.
    ///
    /// - Returns: `false` if it came too late for anybody to take it.
    @discardableResult
    func complete(_ result: Result<SFTPResponse, any Error>) -> Bool {
        let (counts, waiting) = state.withLock { state in
            switch state {
            case .empty:
                state = .full(result)
                return (true, nil as CheckedContinuation<SFTPResponse, any Error>?)
            case .waiting(let continuation):
                state = .taken
                return (true, continuation)
            case .full, .taken: return (false, nil)
            }
        }
        waiting?.resume(with: result)
        return counts
    }

    /// Lets nothing in any more.
    ///
    /// - Returns: An answer that nobody has taken.
    fileprivate func close() -> SFTPResponse? {
        state.withLock { state in
            defer { state = .taken }
            if case .full(.success(let response)) = state { return response }
            return nil
        }
    }

    fileprivate func wait() async throws -> SFTPResponse {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<SFTPResponse, any Error>? = state.withLock { state in
                switch state {
                case .full(let result):
                    state = .taken
                    return result
                case .taken: return .failure(CancellationError())
                case .empty, .waiting:
                    state = .waiting(continuation)
                    return nil
                }
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
