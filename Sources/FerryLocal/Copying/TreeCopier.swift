import FerryCore
import Foundation
import Synchronization

/// Copies what is in a folder, and all below it, into another folder, on several threads.
///
/// Nothing is recursive, and only the innermost folders are held open: a tree may be as deep as it likes. Every name is
/// opened from its folder without following links, so nothing outside is ever read or written.
///
/// This file has the walk, which makes the folders; `TreeCopier+Items.swift` copies what is in them, and
/// `TreeCopier+Resuming.swift` looks at what an earlier run has left.
final class TreeCopier: Sendable {
    /// Where the tree is, and where its copy will be: for errors.
    let paths: (source: ItemPath, target: ItemPath)
    let job: Job
    let methods = CopyMethods()
    let queue = CopyQueue()
    let hardLinks = HardLinks()
    let shouldCopy: ItemFilter?
    private let pool: BlockingPool
    private let failure = Mutex<(any Error)?>(nil)

    /// Is asked before each item, by its path; `false` leaves it out, with all below it.
    typealias ItemFilter = @Sendable (ItemPath) -> Bool

    /// Makes a copier for one tree.
    ///
    /// - Parameters:
    ///   - source: Where the tree is.
    ///   - target: Where its copy will be.
    ///   - job: Counts the bytes, ends the copying, decides after errors.
    ///   - pool: Where helpers run.
    ///   - shouldCopy: Called before each item.
    init(
        from source: ItemPath,
        to target: ItemPath,
        job: Job,
        pool: BlockingPool,
        shouldCopy: ItemFilter? = nil
    ) {
        paths = (source, target)
        self.job = job
        self.pool = pool
        self.shouldCopy = shouldCopy
    }

    /// Copies everything in a folder.
    ///
    /// - Parameters:
    ///   - top: The open original and its open copy, both to be listed.
    ///   - kind: The state of the copy before.
    /// - Throws: The first error that ended the copying; what was copied until then stays in the copy.
    func copy(_ top: CopiedFolder.Pair, _ kind: CopiedFolder.Kind) throws {
        for _ in 0..<Self.helperCount { pool.start { [self] in help(top.target) } }
        let copier = ItemCopier(job: job, methods: methods)
        do {
            try walk(top, kind, copier)
        } catch {
            fail(error)
        }
        queue.finish { copy($0, with: copier, top: top.target) }
        try checkFailure()
    }

    private static let helperCount = max(1, min(3, ProcessInfo.processInfo.activeProcessorCount - 1))

    private func help(_ top: Descriptor) {
        let copier = ItemCopier(job: job, methods: methods)
        queue.help { copy($0, with: copier, top: top) }
    }

    /// Ends the copying with an error, unless another came first.
    func fail(_ error: any Error) {
        failure.withLock { failure in
            if failure == nil { failure = error }
        }
    }

    /// Ends this thread's work if the copying has ended.
    func checkFailure() throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        try job.check()
    }

    // MARK: - The walk

    /// Folders that are still to be visited: their copies exist by now, or did so before.
    struct Below {
        var new = RawNames()
        var old = RawNames()
    }

    private struct Level {
        let folder: CopiedFolder
        var below: Below

        mutating func next() -> (name: RawName, isNew: Bool)? {
            if let name = below.new.popLast() { return (name, true) }
            return below.old.popLast().map { ($0, false) }
        }
    }

    private func walk(_ top: CopiedFolder.Pair, _ kind: CopiedFolder.Kind, _ copier: ItemCopier) throws {
        let target = try top.target.status()
        let status = try top.source.status()
        let folder = CopiedFolder(top: status, inherits: top.target.bequeaths(target), kind)
        job.countFolder()
        var sources = FolderStack(top.source, status.identity)
        var targets = FolderStack(top.target, target.identity)
        var levels = [Level(folder: folder, below: try list(folder, top, copier, top.target))]
        while let index = levels.indices.last {
            try checkFailure()
            guard let (name, isNew) = levels[index].next() else {
                levels.removeLast()
                if levels.isEmpty { return }
                try leave(&sources, &targets, levels[index - 1].folder)
                continue
            }
            let parent = levels[index].folder
            do {
                let (pair, entered) = try enter(name, sources, targets, in: parent, isNew, avoiding: target.identity)
                sources.push(pair.source, entered.folder.status.identity)
                targets.push(pair.target, entered.target)
                levels.append(Level(folder: entered.folder, below: Below()))
                levels[index + 1].below = try list(entered.folder, pair, copier, top.target)
            } catch {
                try job.handle(error, at: path(of: name, in: parent))
            }
        }
    }

    private func enter(
        _ name: RawName,
        _ sources: FolderStack,
        _ targets: FolderStack,
        in parent: CopiedFolder,
        _ isNew: Bool,
        avoiding top: FileIdentity
    ) throws -> (CopiedFolder.Pair, (folder: CopiedFolder, target: FileIdentity)) {
        do {
            let pair = try open(name, sources, targets, parent)
            return (pair, try enter(name, pair, in: parent, isNew: isNew, avoiding: top))
        } catch {
            // An item that an earlier run has left there is no copy of anything.
            if !isNew, parent.isResumed { try ending { try removeLeft(name, parent, in: try targets.top) } }
            throw error
        }
    }

    /// Does what must not fail if the copy is to be right: else all of the copying ends.
    func ending<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            fail(error)
            throw error
        }
    }

    private func leave(_ sources: inout FolderStack, _ targets: inout FolderStack, _ folder: CopiedFolder) throws {
        do {
            try sources.pop()
            try targets.pop()
        } catch {
            throw error.mapped(.reading, path(of: nil, in: folder))
        }
    }

    private func open(
        _ name: RawName,
        _ sources: FolderStack,
        _ targets: FolderStack,
        _ parent: CopiedFolder
    ) throws -> CopiedFolder.Pair {
        CopiedFolder.Pair(
            source: try reading(name, parent) { () throws(Errno) in try sources.top.openFolder(name) },
            target: try naming(name, parent) { try targets.top.openFolder(name) }
        )
    }

    private func enter(
        _ name: RawName,
        _ pair: CopiedFolder.Pair,
        in parent: CopiedFolder,
        isNew: Bool,
        avoiding top: FileIdentity
    ) throws -> (folder: CopiedFolder, target: FileIdentity) {
        let status = try reading(name, parent) { () throws(Errno) in try pair.source.status() }
        if status.identity == top { throw CocoaError.intoItself(paths.source, target: paths.target) }
        let target = try naming(name, parent) { try pair.target.status() }
        let inherits = pair.target.bequeaths(target)
        let folder = CopiedFolder(name, in: parent, status: status, inherits: inherits, isNew: isNew)
        job.countFolder()
        return (folder, target.identity)
    }
}

extension Descriptor {
    /// Returns whether new items in this folder get a group or permissions from it.
    fileprivate func bequeaths(_ status: FileStatus) -> Bool {
        status.bequeathsGroup || hasDefaultPermissions
    }
}

// MARK: - Paths and errors

extension TreeCopier {
    /// The path of an item of the original.
    func path(of name: UnsafePointer<CChar>?, in folder: CopiedFolder) -> ItemPath {
        folder.path(of: name, below: paths.source)
    }

    /// The path of an item of the copy.
    func targetPath(of name: UnsafePointer<CChar>?, in folder: CopiedFolder) -> ItemPath {
        folder.path(of: name, below: paths.target)
    }

    /// Gives errors about the original its path.
    func reading<Result>(
        _ name: UnsafePointer<CChar>?,
        _ folder: CopiedFolder,
        _ body: () throws(Errno) -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            throw error.mapped(.reading, path(of: name, in: folder))
        }
    }

    /// Gives errors about the copy its path.
    func naming<Result>(
        _ name: UnsafePointer<CChar>?,
        _ folder: CopiedFolder,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as Errno {
            throw error.mapped(.naming, targetPath(of: name, in: folder))
        }
    }
}

/// Remembers files with several names, so that the names of a copied tree belong together as those of the original do.
final class HardLinks: Sendable {
    /// Where the copy of a file has its first name, and how many names are still to come.
    private struct First {
        let path: RawPath
        var left: UInt64
    }

    private let firsts = Mutex<[FileIdentity: First]>([:])

    /// Copies the first name that is met of a file, and links the others.
    ///
    /// - Parameters:
    ///   - status: The known status of the file.
    ///   - path: The name's place in the copy, seen from its top.
    ///   - link: Makes the name belong to a copy made before; `false` if it can't be done.
    ///   - copy: Copies the file.
    /// - Throws: Any error that `copy` throws.
    func handle(
        _ status: FileStatus,
        at path: RawPath,
        link: (RawPath) -> Bool,
        copy: () throws -> Void
    ) throws {
        // Held while copying: a second name must not be linked to a copy that may still fail.
        try firsts.withLock { firsts in
            if var first = firsts[status.identity], link(first.path) {
                first.left -= 1
                firsts[status.identity] = first.left == 0 ? nil : first
                return
            }
            try copy()
            firsts[status.identity] = First(path: path, left: status.linkCount - 1)
        }
    }
}
