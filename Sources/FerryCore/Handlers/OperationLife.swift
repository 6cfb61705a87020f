package import Foundation
import Synchronization

/// The life cycle of operations whose work is asynchronous: they wait, execute, and are finished, once each; and
/// whoever cancels the operation or its progress cancels both.
package final class OperationLife<Value: Sendable>: Sendable {
    /// The result of the work.
    package typealias Outcome = Result<Value, any Error>

    /// The work.
    package typealias Work = @Sendable () async throws -> Value

    private enum Phase {
        case pending
        case executing(Task<Void, Never>?)
        case finished
    }

    private struct State {
        var phase = Phase.pending
        var work: Work?
        var ended: (@Sendable (Outcome) -> Void)?
        var outcome: Outcome?
        var watch: CancellationWatch?
    }

    private let state: Mutex<State>
    private let progress: Progress

    /// Before anything has begun.
    ///
    /// - Parameters:
    ///   - progress: The progress that counts the work.
    ///   - ended: Called exactly once, when the work has ended; with `CancellationError` at once if the operation is
    ///     cancelled before it began.
    ///   - work: The work.
    package init(_ progress: Progress, ended: (@Sendable (Outcome) -> Void)?, work: @escaping Work) {
        self.progress = progress
        state = Mutex(State(work: work, ended: ended))
    }

    /// The result of the work; `nil` before its end.
    package var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Indicates whether the work is under way.
    package var isExecuting: Bool {
        state.withLock { if case .executing = $0.phase { true } else { false } }
    }

    /// Indicates whether nothing more will happen.
    package var isFinished: Bool {
        state.withLock { if case .finished = $0.phase { true } else { false } }
    }

    /// Cancels the operation when its progress is cancelled, until it is finished.
    ///
    /// - Parameter operation: The operation, whose initialiser calls this at its end.
    package func follow(_ operation: some Operation & Sendable) {
        let watch = progress.watchCancellation { [weak operation] in operation?.cancel() }
        state.withLock { $0.watch = watch }
    }

    /// Begins the work; the operation's `start()`.
    ///
    /// - Parameter operation: The operation.
    package func start(_ operation: some Operation & Sendable) {
        // On Linux a progress tells from another thread that it was cancelled, which may be a moment too late.
        if progress.isCancelled { operation.cancel() }
        operation.willChangeValue(for: \.isExecuting)
        let (isBegun, work) = state.withLock { state -> (Bool, Work?) in
            guard case .pending = state.phase else { return (false, nil) }
            state.phase = .executing(nil)
            return (true, state.work.take())
        }
        operation.didChangeValue(for: \.isExecuting)
        guard isBegun else { return }
        guard !operation.isCancelled, let work else { return finish(operation, .failure(CancellationError())) }
        // A callback world calls us here: there is no task to be a child of.
        let task = Task {
            do {
                self.finish(operation, .success(try await work()))
            } catch {
                self.finish(operation, .failure(error))
            }
        }
        state.withLock { state in
            if case .executing = state.phase { state.phase = .executing(task) }
        }
        if progress.isCancelled { operation.cancel() }
        if operation.isCancelled { task.cancel() }
    }

    /// Stops the work promptly, or keeps it from beginning; what the operation's `cancel()` does besides.
    package func cancel() {
        if !progress.isCancelled { progress.cancel() }
        let (task, ended) = state.withLock { state -> (Task<Void, Never>?, (@Sendable (Outcome) -> Void)?) in
            switch state.phase {
            case .pending:
                // The queue will still start the operation, which then only finishes.
                state.work = nil
                state.outcome = state.outcome ?? .failure(CancellationError())
                return (nil, state.ended.take())
            case .executing(let task): return (task, nil)
            case .finished: return (nil, nil)
            }
        }
        task?.cancel()
        ended?(.failure(CancellationError()))
    }

    private func finish(_ operation: some Operation & Sendable, _ outcome: Outcome) {
        let (ended, watch) = state.withLock { state in
            state.outcome = state.outcome ?? outcome
            return (state.ended.take(), state.watch.take())
        }
        watch?.end()
        ended?(outcome)
        operation.willChangeValue(for: \.isExecuting)
        operation.willChangeValue(for: \.isFinished)
        state.withLock { $0.phase = .finished }
        operation.didChangeValue(for: \.isExecuting)
        operation.didChangeValue(for: \.isFinished)
    }
}

/// Where the work of an operation leaves its result.
final class Outcome<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ value: Value) {
        self.value.withLock { $0 = value }
    }

    /// The result as a completion handler should see it.
    func result(error: (any Error)?) -> Result<Value, any Error> {
        if let error { return .failure(error.forHandlers) }
        return value.withLock { $0 }.map { .success($0) } ?? .failure(CocoaError(.userCancelled))
    }
}

extension Error {
    /// Cancelling has another name where completion handlers are used.
    var forHandlers: any Error {
        self is CancellationError ? CocoaError(.userCancelled) : self
    }
}
