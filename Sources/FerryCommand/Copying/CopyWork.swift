import FerryCore
import FerryTransfer
import Foundation

/// The common work of `cp` and `mv`: several sources, one target.
struct CopyWork {
    /// Indicates whether the sources stay.
    enum Kind {
        case copy(recursive: Bool)
        case move
    }

    /// A source, ready to go.
    struct Source {
        var location: Location
        let item: FileObject
        /// The name of the new item in a folder; empty if only what is in the source is meant.
        let name: String
        /// Indicates whether it is moved to another disk of this machine, which takes as long as copying it.
        var changesDisk = false
    }

    let kind: Kind
    let options: CopyOptions
    let session: Session

    private var overwrite: Bool { options.overwrite.isAllowed }

    var keepsBoth: Bool { options.keepBoth.isWanted }

    /// The target of all sources.
    private struct Target {
        /// The target, as it was named.
        let named: Location
        /// The target, or the folder that a link there leads to.
        let place: Location
        let presence: CopyDestination.Presence
        let takesSeveral: Bool
    }

    /// The destination of one source.
    private struct Destination {
        /// The place that it gets.
        let place: Location
        /// The place that was wanted for it.
        let wanted: Location
        /// The earlier run of the same command that has begun there; `nil` if none has.
        var job: TransferJob?
    }

    /// Does it.
    ///
    /// - Parameters:
    ///   - texts: The sources, as they were written.
    ///   - targetText: The target, as it was written.
    /// - Throws: The error that ends the whole work; a source's failure is reported instead.
    func run(_ texts: some Collection<String>, to targetText: String) async throws {
        session.isOverwriting = overwrite
        guard let named = try await session.locate(targetText) else { return }
        var locations: [Location] = []
        for text in texts {
            if let location = try await session.locate(text) { locations.append(location) }
        }
        let found = try await session.attempt(named) {
            // Only a move changes its sources.
            let changed = if case .move = kind { locations + [named] } else { [named] }
            try await options.lock.use(on: changed)
            let (place, presence) = try await look(at: named)
            if texts.count > 1, presence != .folder {
                throw presence == .nothing
                    ? CocoaError.missingTarget(named.path) : .notAFolder(named.path, whileWriting: true)
            }
            return Target(named: named, place: place, presence: presence, takesSeveral: texts.count > 1)
        }
        guard let target = found else { return }
        var wanted: Set<ItemPath> = []
        for location in locations {
            try await session.attempt(location, named, target.place) {
                var source = try await source(location)
                source.changesDisk = try await changesDisk(source, target.place, target.presence)
                if case .move = kind { await session.changes(location) }
                let entry = try await entry(source, location, named)
                let begun = try await begunDestination(entry, source, named)
                let destination =
                    if let begun { begun } else { try await newDestination(of: source, in: target, besides: wanted) }
                wanted.insert(destination.wanted.path)
                let (place, job) = (destination.place, destination.job)
                await session.changes(place)
                if let job { session.console.tell("ferry: \(place.text): goes on with job \(job.id)") }
                if try await goesToOtherDisk(source, to: place, job) {
                    try await moveToOtherDisk(source, to: place, in: target.place, entry, goingOnWith: job)
                } else if job == nil, try await isLeftToStorage(source, to: place) {
                    try await transferInside(source, to: place)
                } else {
                    _ = try await transferWork(source, to: place, in: target.place, entry, goingOnWith: job).run()
                }
                session.tellName(of: place.path, wanted: destination.wanted)
            }
        }
    }

    /// Returns the place of the job that the same command has begun before; `nil` if there is none to go on with.
    private func begunDestination(_ entry: TransferWork.Entry?, _ source: Source, _ target: Location) async throws
        -> Destination?
    {
        guard let entry, let job = try await entry.jobs.unfinished(entry.memo) else { return nil }
        // The same words may mean another place by now.
        guard try job.source.top == source.location.withoutLinksAbove().path else { return nil }
        let place = Location(at: job.target.top, in: target)
        // Until all of a folder on this machine is there, what has its name is somebody else's.
        let isHidden = job.unfinishedFiles.contains { $0.isFolder && $0.path == place.path }
        if isHidden, try await place.itemItself() != nil { return nil }
        // So is a file that has taken the name since: it stays, and the new one gets another name.
        if keepsBoth, !source.item.isDirectory, try await place.itemItself() != nil { return nil }
        return Destination(place: place, wanted: place, job: job)
    }

    /// Returns the destination of a source for which there is no earlier job.
    ///
    /// - Throws: An error if another source of this command has the same destination; the errors of `freePlace`.
    private func newDestination(of source: Source, in target: Target, besides wanted: Set<ItemPath>) async throws
        -> Destination
    {
        let isSpelling = try await isOtherSpelling(source, of: target.place)
        // With a free name, nothing is in its way.
        let isApart = keepsBoth && target.presence == .other && !target.takesSeveral && !target.named.demandsFolder
        let destination = try CopyDestination(
            name: source.name,
            isFolder: source.item.isDirectory,
            target: target.place.path,
            presence: isSpelling || isApart ? .nothing : target.presence,
            demandsFolder: target.named.demandsFolder,
            hasSeveralSources: target.takesSeveral
        ).path
        guard !wanted.contains(destination) || source.name.isEmpty || keepsBoth else {
            throw CocoaError.madeTwice(destination)
        }
        let wanted = Location(at: destination, in: target.place)
        let place = keepsBoth && !isSpelling ? try await freePlace(for: source, at: wanted) : wanted
        return Destination(place: place, wanted: wanted)
    }

    /// Returns what is at the target; a link to a folder is as good as the folder.
    private func look(at target: Location) async throws -> (Location, CopyDestination.Presence) {
        guard let item = try await target.itemItself() else { return (target, .nothing) }
        if item.isDirectory { return (target, .folder) }
        guard item.isSymbolicLink else { return (target, .other) }
        do {
            let (place, item) = try await target.following()
            return item.isDirectory ? (place, .folder) : (target, .other)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return (target, .other)
        }
    }

    private func source(_ location: Location) async throws -> Source {
        let isUnnamed = location.hasNoNameOfItsOwn
        let name = isUnnamed ? "" : location.path.lastName
        switch kind {
        case .move:
            let item = try await location.storage.attributesOfItem(path: location.path)
            if isUnnamed {
                throw CocoaError.file(
                    .fileWriteNoPermission,
                    path: location.path,
                    description: "can't be moved",
                    suggestion: "name it from the folder that holds it"
                )
            }
            if location.demandsFolder, !item.isDirectory { throw CocoaError.notAFolder(location.path) }
            return Source(location: location, item: item, name: name)
        case .copy(let isRecursive):
            var (place, item) = try await location.resolved()
            if item.isSymbolicLink, !isRecursive { (place, item) = try await location.following() }
            if item.isDirectory, !isRecursive {
                throw CocoaError.file(
                    .fileReadUnknown,
                    path: location.path,
                    description: "is a folder",
                    suggestion: "give -r to copy it with all below it"
                )
            }
            return Source(location: place, item: item, name: name)
        }
    }

    /// Bytes above which a file is worth being remembered.
    private static let largeSize: Int64 = 8 << 20

    /// Returns what is remembered of it, so that a later run can go on: not of small files, which begin anew.
    private func entry(
        _ source: Source,
        _ location: Location,
        _ target: Location
    ) async throws -> TransferWork.Entry? {
        let isOnThisMachine = source.location.isLocal && target.isLocal
        if isOnThisMachine, case .move = kind, !source.changesDisk { return nil }
        let least = isOnThisMachine ? TransferOptions().partedSize : Self.largeSize + 1
        guard source.item.isDirectory || source.item.size ?? 0 >= least else { return nil }
        return try await options.work.entry(from: location, to: target, session)
    }

    /// Returns `true` if a move goes to another disk: to where nothing is, or where an earlier run has begun.
    private func goesToOtherDisk(_ source: Source, to place: Location, _ job: TransferJob?) async throws -> Bool {
        guard source.changesDisk else { return false }
        return if job != nil { true } else { try await place.itemItself() == nil }
    }

    /// Returns `true` if the storage copies or moves an item by itself.
    ///
    /// Copies on this machine of what is large, a large file or a folder that becomes a new one, are remembered instead,
    /// so that a later run can go on with them.
    private func isLeftToStorage(_ source: Source, to target: Location) async throws -> Bool {
        guard source.location.isOnSameStorage(as: target), options.isPlain else { return false }
        guard case .copy = kind, target.isLocal else { return true }
        if source.item.isRegularFile { return source.item.size ?? 0 < TransferOptions().partedSize }
        guard source.item.isDirectory else { return true }
        return try await target.itemItself() != nil
    }

    /// Leaves all of it to the storage.
    private func transferInside(_ source: Source, to target: Location) async throws {
        let (from, to) = (source.location.path, target.path)
        let storage = target.storage
        if isLeftToServer(source, target) { return try await transferInside(source, keepingBothAt: target) }
        switch kind {
        case .move:
            let operation = FileOperationType.move(source: from, destination: to)
            try await ProgressBar.show(operation, title: source.location.text, on: session.console) { progress in
                try await storage.moveItem(path: from, to: to, overwrite: overwrite, reporting: progress)
            }
        case .copy:
            let operation = FileOperationType.copy(source: .item(from), destination: .item(to))
            try await ProgressBar.show(operation, title: source.location.text, on: session.console) { progress in
                guard let local = storage as? any FileProviderDirectCopying, local.canCopy(from: storage) else {
                    return try await storage.copyItem(path: from, to: to, overwrite: overwrite, reporting: progress)
                }
                let onError = session.reporter(about: [source.location, target])
                _ = try await local.copyItem(
                    path: from,
                    of: storage,
                    to: to,
                    overwrite: overwrite,
                    reporting: progress,
                    onError: { path, error in onError(error) }
                )
            }
        }
    }

    /// Prepares the transfer that brings it there item by item.
    ///
    /// - Parameters:
    ///   - source: The item to bring.
    ///   - target: Where to.
    ///   - whole: The target of all sources.
    ///   - entry: The journal and memo that it is remembered with.
    ///   - job: The earlier run that has begun: then folders are there, and files that are the same are done.
    /// - Returns: The transfer; nothing is done yet.
    /// - Throws: Why a place or the backup folder can't be found, or a filter can't be read; `CancellationError`.
    func transferWork(
        _ source: Source,
        to target: Location,
        in whole: Location,
        _ entry: TransferWork.Entry?,
        goingOnWith job: TransferJob?
    ) async throws -> TransferWork {
        // A folder on this machine is remembered only if nothing was there: what is there now, the job has put there.
        let isNewFolder = source.item.isDirectory && source.location.isOnSameStorage(as: target) && options.isPlain
        let isAllOurs = !overwrite || isNewFolder
        let isOnThisMachine = source.location.isLocal && target.isLocal
        var how = TransferOptions()
        if case .move = kind, !source.changesDisk { how.mode = .move }
        // Whoever says nothing else wants everything to be copied.
        how.comparison = options.comparison.update || (job != nil && isAllOurs) ? .standard : .nothing
        // A copy on another disk is compared before the original is removed here.
        if isOnThisMachine, !source.changesDisk, how.comparison == .standard, job?.mayHaveLostBytes == true {
            how.comparison = .checksum
        }
        options.comparison.apply(to: &how)
        how.replacesFiles = overwrite
        how.demandsNewFolder = !overwrite && job == nil && !target.path.isRoot
        options.work.apply(to: &how)
        // A file that the journal remembers goes in parts: only so can a later run continue inside of it.
        if entry != nil, !source.item.isDirectory, target.isRemote { how.partedSize = Self.largeSize + 1 }
        // A source that is moved as a whole is copied as a whole, or not at all.
        if source.changesDisk { how.endsAtFirstFailure = true }
        try await options.backup.apply(to: &how, target: target, session)
        if source.item.isDirectory, let kept = how.backupFolder, let inside = target.path.relative(to: whole.path) {
            // As in the target, what is in one source doesn't meet what is in another.
            how.backupFolder = kept.appending(path: inside)
        }
        how.filter = try await options.filter.filter(session)
        var work = TransferWork(
            session: session,
            source: try source.location.withoutLinksAbove(),
            target: try target.withoutLinksAbove(),
            options: how
        )
        work.isDryRun = options.work.dryRun
        work.isForPrograms = options.work.json
        work.tellsLosses = source.item.isDirectory
        work.entry = entry
        if job == nil { work.seenSource = source.item }
        return work
    }
}

extension Location {
    /// Indicates whether the text ends in no name: `.`, `x/..`, `/`, `memory:`.
    fileprivate var hasNoNameOfItsOwn: Bool {
        let written = text.dropFirst(prefix.count).utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) }
        return path.isRoot || written == nil || written == "." || written == ".."
    }

    /// Returns what is at the path itself, whatever the text demands.
    func itemItself() async throws -> FileObject? {
        do {
            return try await storage.attributesOfItem(path: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return nil
        }
    }

    /// A place at or below another one.
    init(at path: ItemPath, in folder: Location) {
        self.init(text: folder.display(path), storage: folder.storage, prefix: folder.prefix, path: path)
    }
}

extension CocoaError {
    /// Two sources have the same name: the second would replace the first.
    fileprivate static func madeTwice(_ path: ItemPath) -> CocoaError {
        .file(
            .fileWriteFileExists,
            path: path,
            description: "two sources have this name",
            suggestion: "copy or move them one by one"
        )
    }
}
