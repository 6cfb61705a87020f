import FerryCore
import Foundation

extension TreeCopier {
    /// Files of one folder that a thread takes at a time.
    private static let portionSize = 32

    /// Lists a folder: makes copies of the folders in it, hands its files to the threads, copies the rest itself.
    ///
    /// - Returns: The folders in it.
    func list(
        _ folder: CopiedFolder,
        _ pair: CopiedFolder.Pair,
        _ copier: ItemCopier,
        _ top: Descriptor
    ) throws -> Below {
        let kept = try folder.isResumed ? ending { try clearUp(folder, pair) } : []
        var below = Below()
        var files = RawNames()
        let entries = EntryReader(pair.source)
        while let entry = try reading(nil, folder, { () throws(Errno) in try entries.next() }) {
            if let shouldCopy, !shouldCopy(path(of: entry.name, in: folder)) { continue }
            do {
                switch try format(of: entry, folder, pair) {
                case S_IFREG where !kept.isEmpty && kept.contains(RawName(entry.name)): break
                case S_IFDIR where !kept.isEmpty && kept.contains(RawName(entry.name)): below.old.append(entry.name)
                case S_IFREG:
                    files.append(entry.name)
                    if files.count == Self.portionSize { try submit(&files, folder, pair, copier, top) }
                case S_IFDIR:
                    try makeFolder(entry.name, folder, pair, &below)
                case 0: break  // vanished
                default:
                    try copySpecial(entry.name, folder, pair, copier)
                    job.countFile()
                }
            } catch {
                try job.handle(error, at: path(of: entry.name, in: folder))
            }
        }
        if !files.isEmpty { try submit(&files, folder, pair, copier, top) }
        try end(folder, pair, copier)
        return below
    }

    /// The entry's kind, asking for it where the file system doesn't tell; 0 if it is gone.
    private func format(
        of entry: EntryReader.Entry,
        _ folder: CopiedFolder,
        _ pair: CopiedFolder.Pair
    ) throws -> mode_t {
        if entry.format != 0 { return entry.format }
        return try reading(entry.name, folder) { () throws(Errno) in
            try pair.source.statusIfExists(of: entry.name)?.format ?? 0
        }
    }

    private func makeFolder(
        _ name: UnsafePointer<CChar>,
        _ folder: CopiedFolder,
        _ pair: CopiedFolder.Pair,
        _ below: inout Below
    ) throws {
        do {
            try pair.target.createFolder(name, mode: 0o700)
            below.new.append(name)
        } catch let error where error.code == EEXIST && folder.isMerged {
            try naming(name, folder) {
                if try !pair.target.status(of: name).isFolder { throw error }
            }
            below.old.append(name)
        } catch {
            throw error.mapped(.naming, targetPath(of: name, in: folder))
        }
    }

    private func submit(
        _ files: inout RawNames,
        _ folder: CopiedFolder,
        _ pair: CopiedFolder.Pair,
        _ copier: ItemCopier,
        _ top: Descriptor
    ) throws {
        try checkFailure()
        let portion = CopyQueue.Portion(folder: folder, pair: pair, names: files)
        files = RawNames()
        folder.begin()
        if !queue.add(portion) { copy(portion, with: copier, top: top) }
    }

    /// Copies some files; an error that ends the copying is kept for the walk.
    func copy(_ portion: CopyQueue.Portion, with copier: ItemCopier, top: Descriptor) {
        do {
            try portion.names.forEach { name in
                try checkFailure()
                do {
                    if try copyFile(name, portion.folder, portion.pair, copier, top) { job.countFile() }
                } catch {
                    try job.handle(error, at: path(of: name, in: portion.folder))
                }
            }
            try end(portion.folder, portion.pair, copier)
        } catch {
            fail(error)
        }
    }

    /// One piece of a folder's work is done; after the last, the copy gets its dates.
    private func end(_ folder: CopiedFolder, _ pair: CopiedFolder.Pair, _ copier: ItemCopier) throws {
        guard folder.end(), !folder.isMerged else { return }
        try naming(nil, folder) { try copier.copyAttributes(of: folder, pair) }
    }

    /// - Returns: `true` if it was copied, and not left out.
    private func copyFile(
        _ name: UnsafePointer<CChar>,
        _ folder: CopiedFolder,
        _ pair: CopiedFolder.Pair,
        _ copier: ItemCopier,
        _ top: Descriptor
    ) throws -> Bool {
        let source = try reading(name, folder) { () throws(Errno) in try ItemCopier.openSource(name, in: pair.source) }
        let status = try reading(name, folder) { () throws(Errno) in try source.status() }
        guard status.isFile else { throw CocoaError.changedWhileReading(path(of: name, in: folder)) }
        if job.leavesOut(status, in: folder.status) {
            job.leaveOut(path(of: name, in: folder))
            return false
        }
        try naming(name, folder) {
            if folder.isMerged {
                return try replace(name, source, status, folder, pair, copier)
            }
            let copy = {
                try copier.copyFile(
                    source,
                    status,
                    to: pair.target,
                    name,
                    inherits: folder.inherits,
                    path: self.path(of: name, in: folder)
                )
            }
            if status.linkCount == 1 { return try copy() }
            let link = { (first: RawPath) in self.link(first, top, to: pair.target, name) }
            try hardLinks.handle(status, at: folder.relativePath(of: name), link: link, copy: copy)
        }
        return true
    }

    private func replace(
        _ name: UnsafePointer<CChar>,
        _ source: Descriptor,
        _ status: FileStatus,
        _ folder: CopiedFolder,
        _ pair: CopiedFolder.Pair,
        _ copier: ItemCopier
    ) throws {
        let target = Place(folder: pair.target, name: RawName(name))
        let path = path(of: name, in: folder)
        let old = try target.requireReplaceable(overwrite: true, path: targetPath(of: name, in: folder))
        if old?.identity == status.identity { throw CocoaError.sameItem(path) }
        try copier.publishFile(source, status, to: target, overwrite: true, path: path)
    }

    private func link(
        _ first: RawPath,
        _ top: Descriptor,
        to target: Descriptor,
        _ name: UnsafePointer<CChar>
    ) -> Bool {
        var walker = PathWalker(base: top, isConfined: true)
        let (folder, firstName) = first.split
        do {
            try walker.open(folder, openPathOnly | O_DIRECTORY).link(firstName, to: target, name)
            return true
        } catch {
            return false  // too many names, or a file system without them: it is copied then
        }
    }

    private func copySpecial(
        _ name: UnsafePointer<CChar>,
        _ folder: CopiedFolder,
        _ pair: CopiedFolder.Pair,
        _ copier: ItemCopier
    ) throws {
        let status = try reading(name, folder) { () throws(Errno) in try pair.source.status(of: name) }
        try naming(name, folder) {
            let target = Place(folder: pair.target, name: RawName(name))
            if folder.isMerged {
                try target.requireReplaceable(overwrite: true, path: targetPath(of: name, in: folder))
            }
            try copier.publishSpecial(target.name, status, in: pair.source, to: target, overwrite: folder.isMerged)
        }
    }
}
