public import Foundation

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
///
/// Unchecked, as every class below `Operation` must be, which guards its own state.
/// The added properties are constants of Sendable types.
public final class FileOperation: Operation, @unchecked Sendable {
    /// Work that counts on a progress.
    public typealias Work = @Sendable (Progress) async throws -> Void

    private let life: OperationLife<Void>

    /// The action.
    public let type: FileOperationType

    /// The progress of the work.
    public let progress: Progress

    /// Makes an operation.
    ///
    /// - Parameters:
    ///   - type: The operation.
    ///   - progress: The progress that counts the work; by default a new one.
    ///   - ended: Called exactly once, when the work has ended, well (`nil`) or not; with `CancellationError` at once if
    ///     the operation is cancelled before it began.
    ///   - work: The work.
    public init(
        _ type: FileOperationType,
        progress: Progress? = nil,
        ended: (@Sendable ((any Error)?) -> Void)? = nil,
        work: @escaping Work
    ) {
        self.type = type
        self.progress = progress ?? .ferry(type)
        life = OperationLife(self.progress) { outcome in
            ended?(outcome.error)
        } work: { [progress = self.progress] in
            try await work(progress)
        }
        super.init()
        life.follow(self)
    }

    /// The error that ended the work early; `nil` before its end, and after a good one.
    public var error: (any Error)? { life.outcome?.error }

    /// Always: the work goes on after `start()` has returned.
    public override var isAsynchronous: Bool { true }

    /// Indicates whether the work is under way.
    public override var isExecuting: Bool { life.isExecuting }

    /// Indicates whether nothing more will happen.
    public override var isFinished: Bool { life.isFinished }

    /// Begins the work; a queue calls this when the operation is ready.
    public override func start() { life.start(self) }

    /// Stops the work promptly, or keeps it from beginning.
    public override func cancel() {
        super.cancel()
        life.cancel()
    }
}
