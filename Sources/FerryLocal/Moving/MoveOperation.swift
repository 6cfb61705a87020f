import FerryCore
import Foundation

/// Moves an item with all below it: what ``LocalFileProvider`` does on one of its threads.
struct MoveOperation {
    let places: ItemPlaces
    let overwrite: Bool
    let job: Job
    let pool: BlockingPool
    /// Takes what was copied, to remove it with others; `nil` to remove it at once.
    var originals: CopiedOriginals?

    /// Moves: by renaming, or, to another file system, by copying and then removing.
    ///
    /// - Throws: `CocoaError.sameItem(_:)`, `.fileWriteFileExists`. Whatever fails, every file is still at its old place
    ///   or complete at its new one.
    func run() throws {
        try job.check()
        if places.sourcePath.isRoot { throw CocoaError.baseFolder(places.sourcePath) }
        if places.isSame {
            try changeCase()
        } else if let existing = places.existing {
            try move(onto: existing)
        } else {
            try moveToNewName()
        }
        job.finish()
    }

    private func moveToNewName() throws {
        do {
            try places.source.folder.moveExclusively(
                places.source.name,
                to: places.target.folder,
                places.target.name,
                isFolder: places.status.isFolder
            )
        } catch let error where error.code == EXDEV {
            try copyThenRemove()
        } catch {
            throw error.mapped(.naming, places.targetPath)
        }
    }

    private func move(onto existing: FileStatus) throws {
        if !overwrite || existing.isFolder != places.status.isFolder { throw CocoaError.itemExists(places.targetPath) }
        if existing.isFolder { return try merge() }
        try places.target.requireReplaceable(overwrite: true, path: places.targetPath)
        do {
            try places.source.folder.rename(places.source.name, to: places.target.folder, places.target.name)
        } catch let error where error.code == EXDEV {
            try copyThenRemove()
        } catch {
            throw error.mapped(.naming, places.targetPath)
        }
    }

    /// Both names lead to the same item: on a file system that ignores case, it may only be written differently.
    private func changeCase() throws {
        let hasOneName = places.status.isFolder || places.status.linkCount == 1
        guard hasOneName, places.source.name != places.target.name else { throw CocoaError.sameItem(places.sourcePath) }
        do {
            try places.source.folder.rename(places.source.name, to: places.target.folder, places.target.name)
        } catch {
            throw CocoaError.sameItem(places.sourcePath)
        }
    }

    /// Copies, and removes the original only when the whole copy is in its place.
    private func copyThenRemove() throws {
        let start = timespec.now
        try CopyOperation(places: places, overwrite: overwrite, job: job, pool: pool).run()
        // From here on it is not cancelled any more: it would leave two halves.
        let originals = originals ?? CopiedOriginals()
        try originals.add(places, since: start)
        if self.originals == nil { try originals.remove() }
    }

    private func merge() throws {
        try MergeClash(targetPath: places.targetPath, job: job).requireNone(places.source, places.target)
        let merger = TreeMerger(paths: (places.sourcePath, places.targetPath), job: job, pool: pool)
        try merger.merge(places.source, into: places.target)
    }
}

extension CocoaError {
    /// Returns what is asked for can't be done to the base folder itself.
    static func baseFolder(_ path: ItemPath) -> CocoaError {
        .file(
            .fileWriteNoPermission,
            path: path,
            description: "it is the base folder of this storage",
            suggestion: "name something in it"
        )
    }
}
