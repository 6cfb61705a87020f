import FerryCore
import Foundation
import Synchronization

/// A piece of work that takes long: it can be cancelled, tells how far it is, and may go on after errors.
///
/// Used by several threads at the same time.
final class Job: Sendable {
    /// Called with the item that failed, and the error; returns `true` to go on with the others.
    typealias ErrorHandler = @Sendable (ItemPath, any Error) -> Bool

    private let isCancelled = Atomic(false)
    private let copiedFiles = Atomic(0)
    private let copiedFolders = Atomic(0)
    private let withoutAttributes = Atomic(0)
    private let skippedFiles = Atomic(0)
    /// Units that are done, now or before, but don't show yet.
    private let unpublished = Mutex((done: Int64(0), skipped: Int64(0)))
    private let progress: Progress?
    /// The same, if it counts files, too: how many there are is known from the start.
    private let counted: (any CountedProgress)?
    private let foundFiles = Atomic(1)
    private let onError: ErrorHandler?
    private let whole: Job?

    private let largest: Int64?
    private let left = Mutex<[ItemPath]>([])

    /// The progress is published in steps of this many units: each costs more than copying a small file.
    private static let step: Int64 = 1 << 20

    /// Seconds between two looks at a paused progress.
    private static let pause = 0.05

    /// Makes a job.
    ///
    /// - Parameters:
    ///   - progress: Shows how far the job is; cancelling it ends the job.
    ///   - largest: Bytes that a file in a folder may have to be copied with it; `nil` for any number.
    ///   - onError: Decides whether to go on after an error; `nil` never does.
    convenience init(reporting progress: Progress? = nil, largest: Int64? = nil, onError: ErrorHandler? = nil) {
        self.init(reporting: progress, largest: largest, onError: onError, whole: nil)
    }

    private init(reporting progress: Progress?, largest: Int64?, onError: ErrorHandler?, whole: Job?) {
        self.progress = progress
        counted = progress as? any CountedProgress
        self.largest = largest
        self.onError = onError
        self.whole = whole
    }

    /// A job for a part of this one, which ends with it but is not the whole progress.
    var part: Job {
        Job(reporting: nil, largest: nil, onError: onError, whole: self)
    }

    /// Indicates whether anybody looks at the progress.
    var isReporting: Bool { progress != nil }

    /// Indicates whether nobody wants to go on after an error.
    var endsAtFirstError: Bool { onError == nil }

    /// Makes the work end soon.
    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    /// Indicates whether the work is to end.
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
    func announce(_ units: Int64, files: Int = 1) {
        foundFiles.store(files, ordering: .relaxed)
        showFiles()
        progress?.announceTransfer(of: units)
    }

    /// Adds to what is done.
    func advance(by units: Int64) {
        guard let progress else { return }
        unpublished.withLock { unpublished in
            unpublished.done += units
            guard unpublished.done >= Self.step else { return }
            showFiles()
            progress.completedUnitCount += unpublished.done
            unpublished.done = 0
        }
    }

    /// A file of so many units is done, as an earlier run has done it.
    func skipFile(_ units: Int64) {
        guard let progress else { return }
        skippedFiles.add(1, ordering: .relaxed)
        unpublished.withLock { unpublished in
            unpublished.skipped += units
            guard unpublished.skipped >= Self.step else { return }
            showFiles()
            skip(unpublished.skipped, of: progress)
            unpublished.skipped = 0
        }
    }

    private func skip(_ units: Int64, of progress: Progress) {
        if let counted {
            counted.skip(units)
        } else {
            progress.completedUnitCount += units
        }
    }

    private func showFiles() {
        counted?.count(
            files: foundFiles.load(ordering: .relaxed),
            done: copiedFiles.load(ordering: .relaxed) + skippedFiles.load(ordering: .relaxed)
        )
    }

    /// A file, a link or the like was copied.
    func countFile() { copiedFiles.add(1, ordering: .relaxed) }

    /// A folder was made, or merged into.
    func countFolder() { copiedFolders.add(1, ordering: .relaxed) }

    /// Some of an item's extended attributes were refused.
    func countRefusedAttributes() { withoutAttributes.add(1, ordering: .relaxed) }

    /// Returns whether a file is too large to be copied with the folder that it is in.
    ///
    /// One with several names is not, so that it keeps them; nor one in a folder whose copy can't be written into once it
    /// has the permissions of the original.
    ///
    /// - Parameters:
    ///   - status: The file's.
    ///   - folder: That of its folder.
    /// - Returns: `true` if it comes later, by itself.
    func leavesOut(_ status: FileStatus, in folder: FileStatus) -> Bool {
        guard let largest, status.size > largest else { return false }
        return status.linkCount == 1 && folder.permissions & S_IWUSR != 0
    }

    /// A file was left out.
    func leaveOut(_ path: ItemPath) { left.withLock { $0.append(path) } }

    /// The items that were left out.
    var leftOut: [ItemPath] { left.withLock { $0 } }

    /// The counts of items copied so far.
    var copied: CopiedItems {
        CopiedItems(
            files: copiedFiles.load(ordering: .relaxed),
            folders: copiedFolders.load(ordering: .relaxed),
            withoutAttributes: withoutAttributes.load(ordering: .relaxed)
        )
    }

    /// Everything is done: shows the end.
    func finish() {
        guard let progress else { return }
        unpublished.withLock { unpublished in
            showFiles()
            skip(unpublished.skipped, of: progress)
            progress.completedUnitCount += unpublished.done
            unpublished = (0, 0)
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
