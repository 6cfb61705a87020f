import FerryCore
public import Foundation

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
///
/// Unchecked, as every class below `Operation` must be, which guards its own state.
/// The added properties are constants of Sendable types.
public final class TransferOperation: Operation, @unchecked Sendable {
    /// The result: the report of what was done and what could not be, or the error that ended it.
    public typealias Outcome = Result<TransferReport, any Error>

    private let life: OperationLife<TransferReport>

    /// The transfer.
    public let transfer: Transfer

    /// The progress in bytes, with a child for each file.
    public let progress: Progress

    /// Makes an operation; nothing is done before a queue starts it.
    ///
    /// - Parameters:
    ///   - transfer: The transfer to run.
    ///   - progress: The progress to count on; by default a new one.
    ///   - events: Called with each event, from any thread, one at a time. It should return at once, since connections
    ///     stand still meanwhile; whoever can't take more pauses the progress.
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
        life = OperationLife(self.progress, ended: ended) { [progress = self.progress] in
            try await transfer.run(reporting: progress, events: events)
        }
        super.init()
        life.follow(self)
    }

    /// The result; `nil` before its end.
    public var result: Outcome? { life.outcome }

    /// Always: the transfer goes on after `start()` has returned.
    public override var isAsynchronous: Bool { true }

    /// Indicates whether the transfer is under way.
    public override var isExecuting: Bool { life.isExecuting }

    /// Indicates whether nothing more will happen.
    public override var isFinished: Bool { life.isFinished }

    /// Begins the transfer; a queue calls this when the operation is ready.
    public override func start() { life.start(self) }

    /// Stops the transfer promptly, or keeps it from beginning.
    public override func cancel() {
        super.cancel()
        life.cancel()
    }
}
