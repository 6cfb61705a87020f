public import Foundation
import Synchronization

/// A transfer as an `Operation`, for queues of your own, with dependencies between transfers and other work.
///
/// It is ready when its dependencies are finished, executes until the transfer has ended, and is finished then, or when
/// it was cancelled. Cancelling the operation cancels its ``progress`` and the transfer, and the other way round.
///
/// ```swift
/// let queue = OperationQueue()
/// queue.maxConcurrentOperationCount = 1
/// let photos = TransferOperation(try Transfer(from: card, to: disk))
/// let backup = TransferOperation(try Transfer(from: disk, to: cloud))
/// backup.addDependency(photos)
/// queue.addOperations([photos, backup], waitUntilFinished: false)
/// ```
public final class TransferOperation: Operation, @unchecked Sendable {
    // @unchecked: `Operation` is a class that others may subclass; everything of ours is a `let` or in the `Mutex`.

    /// What came of it: what was done and what could not be, or what ended it.
    public typealias Outcome = Result<TransferReport, any Error>

    private enum Phase {
        case pending
        case executing(Task<Void, Never>?)
        case finished
    }

    private struct State {
        var phase = Phase.pending
        var result: Outcome?
        var ended: (@Sendable (Outcome) -> Void)?
    }

    private let state: Mutex<State>
    private let events: (@Sendable (TransferEvent) -> Void)?

    /// What is transferred.
    public let transfer: Transfer

    /// How far it is, in bytes, with a child for each file.
    public let progress: Progress

    /// Makes an operation; nothing is done before a queue starts it.
    ///
    /// - Parameters:
    ///   - transfer: What to transfer.
    ///   - progress: What it counts on; by default a new one.
    ///   - events: Is told what happens, from any thread, one event at a time. It should return at once, since connections
    ///     stand still meanwhile; whoever can't take more for now pauses the progress.
    ///   - ended: Called exactly once, when the transfer has ended; with `CancellationError` at once if the operation is
    ///     cancelled before it began.
    public init(
        _ transfer: Transfer,
        progress: Progress? = nil,
        events: (@Sendable (TransferEvent) -> Void)? = nil,
        ended: (@Sendable (Outcome) -> Void)? = nil
    ) {
        self.transfer = transfer
        self.progress = progress ?? Progress(totalUnitCount: 0)
        self.events = events
        state = Mutex(State(ended: ended))
        super.init()
        self.progress.cancellationHandler = { [weak self] in self?.cancel() }
    }

    /// What came of it; `nil` before its end.
    public var result: Outcome? { state.withLock { $0.result } }

    /// Always: the transfer goes on after `start()` has returned.
    public override var isAsynchronous: Bool { true }

    /// Whether the transfer is under way.
    public override var isExecuting: Bool {
        state.withLock { if case .executing = $0.phase { true } else { false } }
    }

    /// Whether nothing more will happen.
    public override var isFinished: Bool {
        state.withLock { if case .finished = $0.phase { true } else { false } }
    }

    /// Begins the transfer; a queue calls this when the operation is ready.
    public override func start() {
        willChangeValue(for: \.isExecuting)
        let isBegun = state.withLock { state in
            guard case .pending = state.phase else { return false }
            state.phase = .executing(nil)
            return true
        }
        didChangeValue(for: \.isExecuting)
        guard isBegun else { return }
        guard !isCancelled else { return finish(with: .failure(CancellationError())) }
        // A callback world calls us here: there is no task to be a child of.
        let task = Task { [transfer, progress, events] in
            do {
                self.finish(with: .success(try await transfer.run(reporting: progress, events: events)))
            } catch {
                self.finish(with: .failure(error))
            }
        }
        state.withLock { state in
            if case .executing = state.phase { state.phase = .executing(task) }
        }
        if isCancelled { task.cancel() }
    }

    /// Stops the transfer promptly, or keeps it from beginning.
    public override func cancel() {
        super.cancel()
        if !progress.isCancelled { progress.cancel() }
        let (task, ended) = state.withLock { state -> (Task<Void, Never>?, (@Sendable (Outcome) -> Void)?) in
            switch state.phase {
            case .pending:
                // The queue will still start the operation, which then only finishes.
                state.result = state.result ?? .failure(CancellationError())
                return (nil, state.ended.take())
            case .executing(let task): return (task, nil)
            case .finished: return (nil, nil)
            }
        }
        task?.cancel()
        ended?(.failure(CancellationError()))
    }

    private func finish(with result: Outcome) {
        let ended = state.withLock { state in
            state.result = state.result ?? result
            return state.ended.take()
        }
        ended?(result)
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
        state.withLock { $0.phase = .finished }
        didChangeValue(for: \.isExecuting)
        didChangeValue(for: \.isFinished)
    }
}
