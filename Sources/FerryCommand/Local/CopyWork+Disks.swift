import FerryCore
import FerryLocal
import FerryTransfer
import Foundation

/// Moves from one disk of this machine to another: all is copied, as a job that a later run can go on with, and then the
/// original is removed.
extension CopyWork {
    /// Returns whether a move is one that takes as long as copying: of a folder, or of a large file, to another disk.
    ///
    /// - Parameters:
    ///   - source: The item that is moved.
    ///   - target: Where to, as it was named.
    ///   - presence: The kind of item at the target.
    /// - Returns: `false` also where the disk can't be told, since moving will say why.
    /// - Throws: `CancellationError`.
    func changesDisk(
        _ source: Source,
        _ target: Location,
        _ presence: CopyDestination.Presence
    ) async throws -> Bool {
        let isLarge = source.item.isRegularFile && source.item.size ?? 0 >= TransferOptions().partedSize
        guard case .move = kind, options.isPlain, source.location.isLocal, target.isLocal,
            source.item.isDirectory || isLarge,
            let disk = source.location.storage.withoutRecording as? LocalFileProvider
        else { return false }
        let folder = presence == .folder ? target.path : target.path.parent
        do {
            return try await disk.isOnOtherDisk(source.location.path, than: folder)
        } catch is CocoaError {
            return false
        }
    }

    /// Moves to where nothing is, or where an earlier run of the same has begun.
    ///
    /// - Parameters:
    ///   - source: The item that is moved.
    ///   - target: Where to.
    ///   - whole: The target of all sources.
    ///   - entry: The journal and memo that it is remembered with.
    ///   - job: The earlier run.
    /// - Throws: The error that ended it. Until all was copied, the original is as it was; then, items that differ from
    ///   their copies stay.
    func moveToOtherDisk(
        _ source: Source,
        to target: Location,
        in whole: Location,
        _ entry: TransferWork.Entry?,
        goingOnWith job: TransferJob?
    ) async throws {
        guard let disk = source.location.storage.withoutRecording as? LocalFileProvider else { return }
        // The copy is a part of the move, and is not undone by itself.
        var original = source
        original.location = try source.location.withoutLinksAbove().replacing(storage: disk)
        let copy = try target.withoutLinksAbove().replacing(storage: disk)
        let (path, copyPath) = (original.location.path, copy.path)
        let body = { [original] in
            var work = try await transferWork(original, to: copy, in: whole, entry, goingOnWith: job)
            work.conclusion = { begun in
                let since = job?.trusted(from: begun) ?? begun
                do {
                    try await disk.removeOriginal(path: path, copiedTo: copyPath, since: since)
                } catch let error as CopyNotHeldError {
                    throw LostCopyError(reason: error.reason)
                }
            }
            if try await !work.run().isComplete { throw Told() }
        }
        do {
            guard let history = target.storage as? any RecordingFileProvider else { return try await body() }
            try await history.recordMove(of: source.location.path, to: target.path, body)
        } catch is Told {}
    }

    /// Something has failed, and was told.
    private struct Told: Error {}
}

extension TransferJob {
    /// Indicates whether the machine was started since the job has begun: after a loss of power the sizes and dates of
    /// files may be there, and the bytes not.
    ///
    /// A machine that has slept may be taken for one that was started anew.
    var mayHaveLostBytes: Bool { begun < Date(timeIntervalSinceNow: -ProcessInfo.processInfo.systemUptime) }

    /// Since when dates are to be trusted in which the job was worked at; else bytes are compared.
    fileprivate func trusted(from moment: Date) -> Date {
        mayHaveLostBytes ? .distantPast : min(moment, begun)
    }
}

extension Location {
    /// The same place, by another provider of the same storage.
    fileprivate func replacing(storage: any Storage) -> Location {
        Location(text: text, storage: storage, prefix: prefix, path: path)
    }
}
