import FerryCore
import FerryLocal
import FerryTransfer
import Foundation

/// Moves from one disk of this machine to another: all is copied, as a job that a later run can go on with, and then the
/// original is removed.
extension CopyWork {
    /// Whether a move is one that takes as long as copying: of a folder, or of a large file, to another disk.
    ///
    /// - Parameters:
    ///   - source: What is moved.
    ///   - target: Where to, as it was named.
    ///   - presence: What is there.
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
            let disk = source.location.storage.unrecorded as? LocalFileProvider
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
    ///   - source: What is moved.
    ///   - target: Where to.
    ///   - whole: The target of all sources.
    ///   - entry: What is remembered of it.
    ///   - job: The earlier run.
    /// - Throws: What ended it; until all was copied, the original is as it was.
    func moveToOtherDisk(
        _ source: Source,
        to target: Location,
        in whole: Location,
        _ entry: TransferWork.Entry?,
        goingOnWith job: TransferJob? = nil
    ) async throws {
        guard let disk = source.location.storage.unrecorded as? LocalFileProvider else { return }
        // Of what is in the copy already an earlier run has known no later state.
        let begun = job?.begun ?? Date()
        let path = source.location.path
        let body = {
            // The copy is a part of the move, and is not undone by itself.
            var original = source
            original.location = source.location.replacing(storage: disk)
            let report = try await transferItems(
                original,
                to: target.replacing(storage: disk),
                in: whole,
                entry,
                goesOn: job != nil
            )
            if let failure = report.failures.first { throw failure.error }
            // From here on it would leave two halves.
            try await uncancelled { try await disk.removeMovedItem(path: path, unchangedSince: begun) }
        }
        guard let history = target.storage as? any RecordingFileProvider else { return try await body() }
        try await history.recordMove(of: path, to: target.path, body)
    }
}

extension Location {
    /// The same place, by another provider of the same storage.
    fileprivate func replacing(storage: any Storage) -> Location {
        Location(text: text, storage: storage, prefix: prefix, path: path)
    }
}
