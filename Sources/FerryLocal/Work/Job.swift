import FerryCore
import Foundation
import Synchronization

/// A piece of work that takes long: it can be cancelled, tells how far it is, and may go on after errors.
///
/// Used by several threads at the same time.
final class Job: Sendable {
    /// Is told which item failed, and why; `true` goes on with the others.
    typealias ErrorHandler = @Sendable (ItemPath, any Error) -> Bool

    private let isCancelled = Atomic(false)
    private let copiedFiles = Atomic(0)
    private let copiedFolders = Atomic(0)
    /// Units that are done, but not shown yet.
    private let unpublished = Mutex(Int64(0))
    private let progress: Progress?
    private let onError: ErrorHandler?
    private let whole: Job?

    /// The progress is published in steps of this many units: each costs more than copying a small file.
    private static let step: Int64 = 1 << 20

    /// Seconds between two looks at a paused progress.
    private static let pause = 0.05

    /// Makes a job.
    ///
    /// - Parameters:
    ///   - progress: Shows how far the job is; cancelling it ends the job.
    ///   - onError: Decides whether to go on after an error; `nil` never does.
    convenience init(reporting progress: Progress? = nil, onError: ErrorHandler? = nil) {
        self.init(reporting: progress, onError: onError, whole: nil)
    }

    private init(reporting progress: Progress?, onError: ErrorHandler?, whole: Job?) {
        self.progress = progress
        self.onError = onError
        self.whole = whole
    }

    /// A job for a part of this one, which ends with it but is not the whole progress.
    var part: Job {
        Job(reporting: nil, onError: onError, whole: self)
    }

    /// Whether anybody looks at the progress.
    var isReporting: Bool { progress != nil }

    /// Whether nobody wants to go on after an error.
    var endsAtFirstError: Bool { onError == nil }

    /// Makes the work end soon.
    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    /// Whether the work is to end.
    var mustEnd: Bool {
        isCancelled.load(ordering: .relaxed) || progress?.isCancelled == true || whole?.mustEnd == true
    }

    /// Ends the work if it is to end, and waits here while the progress is paused.
    ///
    /// - Throws: `CancellationError`.
    func check() throws {
        if isPaused { waitWhilePaused() }
        if mustEnd { throw CancellationError() }
    }

    private var isPaused: Bool { progress?.isPaused ?? whole?.isPaused ?? false }

    /// A paused progress tells nobody that it goes on but its owner's handler: so we look.
    private func waitWhilePaused() {
        BlockingPool.whileWaiting {
            while isPaused, !mustEnd { Thread.sleep(forTimeInterval: Self.pause) }
        }
    }

    /// Says how much there is to do.
    func announce(_ units: Int64) {
        progress?.announceTransfer(of: units)
    }

    /// Adds to what is done.
    func advance(by units: Int64) {
        guard let progress else { return }
        unpublished.withLock { unpublished in
            unpublished += units
            guard unpublished >= Self.step else { return }
            progress.completedUnitCount += unpublished
            unpublished = 0
        }
    }

    /// A file, a link or the like was copied.
    func countFile() { copiedFiles.add(1, ordering: .relaxed) }

    /// A folder was made, or merged into.
    func countFolder() { copiedFolders.add(1, ordering: .relaxed) }

    /// What was copied so far.
    var copied: CopiedItems {
        CopiedItems(files: copiedFiles.load(ordering: .relaxed), folders: copiedFolders.load(ordering: .relaxed))
    }

    /// Everything is done: shows the end.
    func finish() {
        guard let progress else { return }
        unpublished.withLock { unpublished in
            progress.completedUnitCount += unpublished
            unpublished = 0
        }
        progress.finish()
    }

    /// Hands an item's error to who decides.
    ///
    /// - Throws: The error, unless the work goes on; a cancellation always ends it.
    func handle(_ error: any Error, at path: @autoclosure () -> ItemPath) throws {
        if !(error is CancellationError), let onError, onError(path(), error) { return }
        throw error
    }
}
