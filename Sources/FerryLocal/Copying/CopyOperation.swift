import FerryCore
import Foundation

/// Copies an item with all below it: what ``LocalFileProvider`` does on one of its threads.
struct CopyOperation {
    let places: ItemPlaces
    let overwrite: Bool
    let job: Job
    let pool: BlockingPool
    var shouldCopy: TreeCopier.ItemFilter?
    /// A folder that a later run is to go on with if this one doesn't come to its end; `nil` for one that is gone then.
    var partial: PartialFolder?

    /// Copies.
    ///
    /// - Throws: `CocoaError.sameItem(_:)`, `.fileWriteFileExists`, and what keeps single items from being copied. Then
    ///   nothing is left, except where a folder was merged into another, and what a later run is to go on with.
    func run() throws {
        try job.check()
        if places.isSame { throw CocoaError.sameItem(places.sourcePath) }
        if let shouldCopy, !shouldCopy(places.sourcePath) { return }
        if places.status.isFolder {
            try copyFolder()
        } else {
            try copyItem()
            job.countFile()
        }
        job.finish()
    }

    private func copyItem() throws {
        try places.target.requireReplaceable(overwrite: overwrite, path: places.targetPath)
        let copier = ItemCopier(job: job, methods: CopyMethods())
        guard places.status.isFile else {
            return try naming {
                try copier.publishSpecial(
                    places.source.name,
                    places.status,
                    in: places.source.folder,
                    to: places.target,
                    overwrite: overwrite
                )
            }
        }
        let (source, status) = try openSource()
        job.announce(status.size)
        try naming {
            try copier.publishFile(source, status, to: places.target, overwrite: overwrite, path: places.sourcePath)
        }
    }

    private func openSource() throws -> (Descriptor, FileStatus) {
        do {
            let source = try ItemCopier.openSource(places.source.name, in: places.source.folder)
            let status = try source.status()
            guard status.isFile else { throw Errno(ESTALE) }
            return (source, status)
        } catch let error as Errno {
            throw error.mapped(.reading, places.sourcePath)
        }
    }

    private func copyFolder() throws {
        guard let existing = places.existing else { return try copyNewFolder() }
        guard existing.isFolder, overwrite else { throw CocoaError.itemExists(places.targetPath) }
        if job.endsAtFirstError {
            try MergeClash(targetPath: places.targetPath, job: job).requireNone(places.source, places.target)
        }
        try copyTree(try openTree().top, to: places.target, .merged)
    }

    /// Copies into a hidden folder, which gets its name when all is there.
    private func copyNewFolder() throws {
        let (source, measure) = try openTree()
        let partial = partial.flatMap { measure.map($0.isFor) == true ? $0 : nil }
        partial?.note?()
        let new = try naming {
            if let partial { return try HiddenFolder(for: places.target, path: places.targetPath, as: partial) }
            return try HiddenFolder(for: places.target, path: places.targetPath)
        }
        defer { new.unlock() }
        let hidden = new.place
        do {
            try copyTree(source, to: hidden, new.wasLeft ? .resumed(since: partial?.begun) : .new)
            try naming {
                // The copies that come later may take long, and rely on it, whatever becomes of the machine.
                if partial != nil, !job.leftOut.isEmpty { try hidden.folder.synchronizeFileSystem() }
                try hidden.folder.moveExclusively(
                    hidden.name,
                    to: places.target.folder,
                    places.target.name,
                    isFolder: true
                )
            }
        } catch {
            if partial != nil { throw error }
            // The first error is the one to know.
            try? TreeRemover.removeOurs(hidden, path: places.targetPath)
            throw error
        }
    }

    /// Opens the original, and looks how much there is if anybody wants to know.
    private func openTree() throws -> (top: Descriptor, measure: TreeMeasure?) {
        do {
            let top = try places.source.folder.openFolder(places.source.name)
            guard job.isReporting || partial != nil else { return (top, nil) }
            let measure = try TreeMeasure.tree(in: top, job: job)
            job.announce(measure.bytes, files: measure.files)
            return (top, measure)
        } catch let error as Errno {
            throw error.mapped(.reading, places.sourcePath)
        }
    }

    private func copyTree(_ source: Descriptor, to target: Place, _ kind: CopiedFolder.Kind) throws {
        let pair = CopiedFolder.Pair(source: source, target: try naming { try target.folder.openFolder(target.name) })
        let copier = TreeCopier(
            from: places.sourcePath,
            to: places.targetPath,
            job: job,
            pool: pool,
            shouldCopy: shouldCopy
        )
        try copier.copy(pair, kind)
    }

    private func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as Errno {
            throw error.mapped(.naming, places.targetPath)
        }
    }
}
