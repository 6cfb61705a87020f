import Synchronization

/// The answer to a request that was sent, as soon as it comes.
///
/// So many requests can be under way before the first answer is waited for. When nobody holds it any more, the answer is
/// not waited for, and what it opens is closed.
final class SFTPPendingAnswer: Sendable {
    private let cell: SFTPAnswerCell
    private let abandon: @Sendable () -> Void

    init(_ cell: SFTPAnswerCell, abandon: @escaping @Sendable () -> Void) {
        self.cell = cell
        self.abandon = abandon
    }

    deinit { abandon() }

    /// Waits for the answer; once.
    ///
    /// - Returns: The answer, a status that says why not among them.
    /// - Throws: `CancellationError` at once when the task is cancelled; why the line has ended.
    func response() async throws -> SFTPResponse {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await cell.wait()
        } onCancel: {
            cell.complete(.failure(CancellationError()))
        }
    }
}

/// Where an answer arrives.
final class SFTPAnswerCell: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<SFTPResponse, any Error>)
        case full(Result<SFTPResponse, any Error>)
    }

    private let state = Mutex(State.empty)

    /// Puts in an answer; the first one counts.
    func complete(_ result: Result<SFTPResponse, any Error>) {
        let waiting: CheckedContinuation<SFTPResponse, any Error>? = state.withLock { state in
            switch state {
            case .empty:
                state = .full(result)
                return nil
            case .waiting(let continuation):
                state = .full(result)
                return continuation
            case .full: return nil
            }
        }
        waiting?.resume(with: result)
    }

    fileprivate func wait() async throws -> SFTPResponse {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<SFTPResponse, any Error>? = state.withLock { state in
                switch state {
                case .full(let result): return result
                case .empty, .waiting:
                    state = .waiting(continuation)
                    return nil
                }
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
