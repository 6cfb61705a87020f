import FerryCore
import Foundation

/// The originals that were copied to another file system and are to be removed: several of one folder at a time, since
/// the storage has to be waited for.
final class CopiedOriginals {
    /// How many items wait at most.
    private static let most = 1_000

    private var waiting: [(places: ItemPlaces, begun: timespec)] = []

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - places: Where it is, and where its copy is.
    ///   - begun: When its copying began.
    /// - Throws: As ``remove()``, which is done where many wait.
    func add(_ places: ItemPlaces, since begun: timespec) throws {
        waiting.append((places, begun))
        if waiting.count == Self.most { try remove() }
    }

    /// Removes what was added, when the storage itself holds the copies.
    ///
    /// - Throws: The first reason why something stays; all else is removed all the same.
    func remove() throws {
        guard let first = waiting.first?.places else { return }
        defer { waiting = [] }
        do throws(Errno) {
            if waiting.count > 1 || first.status.isFolder {
                try first.target.folder.synchronizeFileSystem()
            } else {
                try first.target.synchronize()
            }
        } catch {
            throw CocoaError.notHeld(first.targetPath, error)
        }
        var failure: (any Error)?
        for (places, begun) in waiting {
            var remover = OriginalsRemover(paths: (places.sourcePath, places.targetPath), begun: begun)
            do {
                try remover.remove(places.source, places.status.identity, copiedTo: places.target)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

extension Place {
    /// Waits until the storage itself holds the item, which is no folder, and its name.
    fileprivate func synchronize() throws(Errno) {
        do throws(Errno) {
            if try status().isFile { try ItemCopier.openSource(name, in: folder).synchronize() }
            try folder.openFolder(".").synchronize()
        } catch {
            guard error.isUnsupported || error.isAny(of: EACCES, EPERM) else { throw error }
            try folder.synchronizeFileSystem()
        }
    }
}

extension CocoaError {
    /// Returns what was copied has not come to the storage itself: whoever asks once more may hear that all is well.
    static func notHeld(_ path: ItemPath, _ error: Errno) -> CocoaError {
        .file(
            error.isAny(of: ENOSPC, EDQUOT) ? .fileWriteOutOfSpace : .fileWriteUnknown,
            path: path,
            description: "the disk could not hold what was copied to it; the original is as it was",
            suggestion: "remove the copy, and move it again",
            underlying: error.underlying
        )
    }
}
