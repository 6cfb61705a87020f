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

    /// Does it.
    ///
    /// - Parameters:
    ///   - texts: The sources, as they were written.
    ///   - targetText: The target, as it was written.
    /// - Throws: The error that ends the whole work; a source's failure is reported instead.
    func run(_ texts: some Collection<String>, to targetText: String) async throws {
        session.isOverwriting = overwrite
        guard let target = try await session.locate(targetText) else { return }
        var locations: [Location] = []
        for text in texts {
            if let location = try await session.locate(text) { locations.append(location) }
        }
        try await session.attempt(target) {
            // Only a move changes its sources.
            let changed = if case .move = kind { locations + [target] } else { [target] }
            try await options.lock.use(on: changed)
            let (place, presence) = try await look(at: target)
            if texts.count > 1, presence != .folder {
                throw presence == .nothing
                    ? CocoaError.missingTarget(target.path) : .notAFolder(target.path, whileWriting: true)
            }
            var made: Set<ItemPath> = []
            for location in locations {
                try await session.attempt(location, target, place) {
                    var source = try await source(location)
                    source.changesDisk = try await changesDisk(source, place, presence)
                    if case .move = kind { await session.changes(location) }
                    let entry = try await entry(source, location, target)
                    if let entry, let (job, goal) = try await begun(entry, source, target) {
                        made.insert(goal.path)
                        await session.changes(goal)
                        session.console.tell("ferry: \(goal.text): goes on with job \(job.id)")
                        if source.changesDisk {
                            return try await moveToOtherDisk(source, to: goal, in: place, entry, goingOnWith: job)
                        }
                        try await transferItems(source, to: goal, in: place, entry, goingOnWith: job)
                        return
                    }
                    let isSpelling = try await isOtherSpelling(source, of: place)
                    // With a free name, nothing is in its way.
                    let isApart = keepsBoth && presence == .other && texts.count == 1 && !target.demandsFolder
                    let destination = try CopyDestination(
                        name: source.name,
                        isFolder: source.item.isDirectory,
                        target: place.path,
                        presence: isSpelling || isApart ? .nothing : presence,
                        demandsFolder: target.demandsFolder,
                        hasSeveralSources: texts.count > 1
                    ).path
                    guard made.insert(destination).inserted || source.name.isEmpty || keepsBoth else {
                        throw CocoaError.madeTwice(destination)
                    }
                    let wanted = Location(at: destination, in: place)
                    let goal = keepsBoth && !isSpelling ? try await freePlace(for: source, at: wanted) : wanted
                    await session.changes(goal)
                    try await transfer(source, to: goal, in: place, entry)
                    session.tellName(of: goal.path, wanted: wanted)
                }
            }
        }
    }

    /// The job that the same command has begun before, and what it makes.
    private func begun(
        _ entry: TransferWork.Entry,
        _ source: Source,
        _ target: Location
    ) async throws -> (TransferJob, goal: Location)? {
        guard let job = try await entry.jobs.unfinished(entry.memo) else { return nil }
        // The same words may mean another place by now.
        guard try job.source.top == source.location.withoutLinksAbove().path else { return nil }
        let goal = Location(at: job.target.top, in: target)
        // Until all of a folder on this machine is there, what has its name is somebody else's.
        let isHidden = job.unfinishedFiles.contains { $0.isFolder && $0.path == goal.path }
        if isHidden, try await goal.itemItself() != nil { return nil }
        // So is a file that has taken the name since: it stays, and the new one gets another name.
        if keepsBoth, !source.item.isDirectory, try await goal.itemItself() != nil { return nil }
        return (job, goal)
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

    private func transfer(
        _ source: Source,
        to target: Location,
        in whole: Location,
        _ entry: TransferWork.Entry?
    ) async throws {
        if source.changesDisk, try await target.itemItself() == nil {
            try await moveToOtherDisk(source, to: target, in: whole, entry)
        } else if source.location.isOnSameStorage(as: target), options.isPlain, try await !goesOn(source, to: target) {
            try await transferInside(source, to: target)
        } else {
            try await transferItems(source, to: target, in: whole, entry)
        }
    }

    /// Returns whether a copy on this machine is remembered, so that a later run can go on with what is large: a large
    /// file, or a folder that becomes a new one.
    private func goesOn(_ source: Source, to target: Location) async throws -> Bool {
        guard case .copy = kind, target.isLocal else { return false }
        if source.item.isRegularFile { return source.item.size ?? 0 >= TransferOptions().partedSize }
        guard source.item.isDirectory else { return false }
        return try await target.itemItself() == nil
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

    /// Brings it there item by item.
    ///
    /// - Parameters:
    ///   - source: The item to bring.
    ///   - target: Where to.
    ///   - whole: The target of all sources.
    ///   - entry: The journal and memo that it is remembered with.
    ///   - job: The earlier run that has begun: then folders are there, and files that are the same are done.
    ///   - conclusion: The rest of the work, done at the end; it is passed the date on which the first run began.
    /// - Returns: The report of what was done.
    /// - Throws: The error that ends everything.
    @discardableResult
    func transferItems(
        _ source: Source,
        to target: Location,
        in whole: Location,
        _ entry: TransferWork.Entry?,
        goingOnWith job: TransferJob? = nil,
        conclusion: (@Sendable (Date) async throws -> Void)? = nil
    ) async throws -> TransferReport {
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
        var transfer = TransferWork(
            session: session,
            source: try source.location.withoutLinksAbove(),
            target: try target.withoutLinksAbove(),
            options: how
        )
        transfer.isDryRun = options.work.dryRun
        transfer.isForPrograms = options.work.json
        transfer.tellsLosses = source.item.isDirectory
        transfer.entry = entry
        if job == nil { transfer.seenSource = source.item }
        transfer.conclusion = conclusion
        return try await transfer.run()
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
