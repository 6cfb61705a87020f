import FerryCore
import Foundation

/// Moves what is in a folder into another, item by item: folders of the same name are merged, files replaced.
///
/// Nothing is recursive, and only the innermost folders are held open.
struct TreeMerger {
    let paths: (source: ItemPath, target: ItemPath)
    let job: Job
    let pool: BlockingPool

    private struct Level {
        let name: RawName
        var below = RawNames()
    }

    /// The folders that are being merged.
    private struct Walk {
        var sources: FolderStack
        var targets: FolderStack
        var levels: [Level] = []
        /// The innermost folder, seen from the top of the tree.
        var relative = ItemPath.root

        /// The path of an item in the innermost folder, or of that.
        func path(of name: RawName? = nil, below top: ItemPath) -> ItemPath {
            let folder = top.appending(path: relative)
            return name.map { folder.appending($0.text) } ?? folder
        }
    }

    /// Moves everything, and removes the empty folder at last.
    ///
    /// - Parameters:
    ///   - source: The folder that will be gone.
    ///   - target: The folder that will hold both.
    /// - Throws: `CocoaError.fileWriteFileExists` where a file meets a folder; what was moved until then stays moved.
    func merge(_ source: Place, into target: Place) throws {
        var walk: Walk
        do {
            walk = Walk(
                sources: FolderStack(source.folder, try source.folder.status().identity),
                targets: FolderStack(target.folder, try target.folder.status().identity)
            )
        } catch {
            throw error.mapped(.naming, paths.target)
        }
        try enter(source.name, target.name, &walk)
        while let index = walk.levels.indices.last {
            try job.check()
            if let name = walk.levels[index].below.popLast() {
                try enter(name, name, &walk)
            } else {
                try leave(&walk)
            }
        }
    }

    private func enter(_ source: RawName, _ target: RawName, _ walk: inout Walk) throws {
        let from: Descriptor
        do {
            from = try walk.sources.top.openFolder(source)
            let into = try walk.targets.top.openFolder(target)
            walk.sources.push(from, try from.status().identity)
            walk.targets.push(into, try into.status().identity)
        } catch {
            throw error.mapped(.naming, walk.path(of: walk.levels.isEmpty ? nil : target, below: paths.target))
        }
        if !walk.levels.isEmpty { walk.relative = walk.relative.appending(source.text) }
        walk.levels.append(Level(name: source))
        let originals = CopiedOriginals()
        do {
            for name in try names(from, walk) { try move(name, &walk, originals) }
        } catch {
            // Items that were moved until then stay moved. The first error is the one to know: an item that can't be
            // removed now, or is not on the disk for sure, is where it was, and is moved again by the next run.
            try? originals.remove()
            throw error
        }
        try originals.remove()
    }

    /// All names first: what moves away must not confuse the listing.
    private func names(_ folder: Descriptor, _ walk: Walk) throws -> [RawName] {
        do {
            var names: [RawName] = []
            let entries = EntryReader(folder)
            while let entry = try entries.next() { names.append(RawName(entry.name)) }
            return names
        } catch {
            throw error.mapped(.listing, walk.path(below: paths.source))
        }
    }

    private func move(_ name: RawName, _ walk: inout Walk, _ originals: CopiedOriginals) throws {
        try job.check()
        let sourcePath = walk.path(of: name, below: paths.source)
        let targetPath = walk.path(of: name, below: paths.target)
        do {
            let places = ItemPlaces(
                source: Place(folder: try walk.sources.top, name: name),
                sourcePath: sourcePath,
                target: Place(folder: try walk.targets.top, name: name),
                targetPath: targetPath,
                status: try walk.sources.top.status(of: name),
                existing: try walk.targets.top.statusIfExists(of: name)
            )
            if places.status.isFolder, places.existing?.isFolder == true, !places.isSame {
                walk.levels[walk.levels.count - 1].below.append(name)
            } else {
                var operation = MoveOperation(places: places, overwrite: true, job: job.part, pool: pool)
                operation.originals = originals
                try operation.run()
            }
        } catch let error as Errno {
            throw error.mapped(.naming, targetPath)
        }
    }

    private func leave(_ walk: inout Walk) throws {
        let path = walk.path(below: paths.source)
        do {
            try walk.sources.pop()
            try walk.targets.pop()
            let level = walk.levels.removeLast()
            walk.relative = walk.relative.parent
            try walk.sources.top.removeFolder(level.name)
        } catch {
            throw error.mapped(.writing, path)
        }
    }
}
