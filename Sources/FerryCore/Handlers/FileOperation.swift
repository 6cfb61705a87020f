public import Foundation
import Synchronization

/// Asynchronous work as an `Operation`, for queues of your own, with dependencies between them.
///
/// It is ready when its dependencies are finished, executes until its work has returned, and is finished then, or when
/// it was cancelled. Cancelling the operation cancels its ``progress`` and the task of its work, and the other way round.
///
/// ```swift
/// let upload = FileOperation(.create(path: "/a.txt")) { progress in
///     try await provider.writeContents(path: "/a.txt", contents: data, overwrite: false)
/// }
/// queue.addOperation(upload)
/// ```
public final class FileOperation: Operation, @unchecked Sendable {
    // @unchecked: `Operation` is a class that others may subclass; everything of ours is a `let` or in the `Mutex`.

    /// Work that counts on a progress.
    public typealias Work = @Sendable (Progress) async throws -> Void

    private enum Phase {
        case pending
        case executing(Task<Void, Never>?)
        case finished
    }

    private struct State {
        var phase = Phase.pending
        var work: Work?
        var ended: (@Sendable ((any Error)?) -> Void)?
        var error: (any Error)?
    }

    private let state: Mutex<State>

    /// What is done.
    public let type: FileOperationType

    /// How far it is.
    public let progress: Progress

    /// Makes an operation.
    ///
    /// - Parameters:
    ///   - type: What is done.
    ///   - progress: What the work counts on; by default a new one.
    ///   - ended: Called exactly once, when the work has ended, well (`nil`) or not; with `CancellationError` at once if
    ///     the operation is cancelled before it began.
    ///   - work: What to do.
    public init(
        _ type: FileOperationType,
        progress: Progress? = nil,
        ended: (@Sendable ((any Error)?) -> Void)? = nil,
        work: @escaping Work
    ) {
        self.type = type
        self.progress = progress ?? .ferry(type)
        self.state = Mutex(State(work: work, ended: ended))
        super.init()
        self.progress.cancellationHandler = { [weak self] in self?.cancel() }
    }

    /// Why the work ended early; `nil` before its end, and after a good one.
    public var error: (any Error)? { state.withLock { $0.error } }

    /// Always: the work goes on after `start()` has returned.
    public override var isAsynchronous: Bool { true }

    /// Whether the work is under way.
    public override var isExecuting: Bool {
        state.withLock { if case .executing = $0.phase { true } else { false } }
    }

    /// Whether nothing more will happen.
    public override var isFinished: Bool {
        state.withLock { if case .finished = $0.phase { true } else { false } }
    }

    /// Begins the work; a queue calls this when the operation is ready.
    public override func start() {
        willChangeValue(for: \.isExecuting)
        let work = state.withLock { state -> Work? in
            guard case .pending = state.phase else { return nil }
            state.phase = .executing(nil)
            return state.work.take()
        }
        didChangeValue(for: \.isExecuting)
        guard !isCancelled, let work else { return finish(with: CancellationError()) }
        // A callback world calls us here: there is no task to be a child of.
        let task = Task { [progress] in
            do {
                try await work(progress)
                self.finish(with: nil)
            } catch {
                self.finish(with: error)
            }
        }
        state.withLock { state in
            if case .executing = state.phase { state.phase = .executing(task) }
        }
        if isCancelled { task.cancel() }
    }

    /// Stops the work promptly, or keeps it from beginning.
    public override func cancel() {
        super.cancel()
        if !progress.isCancelled { progress.cancel() }
        let (task, ended) = state.withLock { state -> (Task<Void, Never>?, (@Sendable ((any Error)?) -> Void)?) in
            switch state.phase {
            case .pending:
                // The queue will still start the operation, which then only finishes.
                state.work = nil
                state.error = state.error ?? CancellationError()
                return (nil, state.ended.take())
            case .executing(let task): return (task, nil)
            case .finished: return (nil, nil)
            }
        }
        task?.cancel()
        ended?(CancellationError())
    }

    private func finish(with error: (any Error)?) {
        let ended = state.withLock { state in
            state.error = state.error ?? error
            return state.ended.take()
        }
        ended?(error)
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
        state.withLock { $0.phase = .finished }
        didChangeValue(for: \.isExecuting)
        didChangeValue(for: \.isFinished)
    }
}
