import FerryCore
import Foundation

/// Decides what to do in one folder, from what the two sides list there; asks and changes nothing.
struct FolderPlanner: Sendable {
    /// The actions to be done in a folder.
    struct Decision: Sendable {
        /// In the order of the source's listing; a folder's own action only, nothing of what is below.
        var actions: [TransferAction] = []

        /// Files that are the same on both sides, and that no action names.
        var same = 0

        /// Files that are taken for the same, of which nothing but the size could be compared.
        var comparedBySize = 0

        /// Items that only the target has, or that are in the way: to be removed once everything was listed.
        var removals: [TransferAction] = []

        /// To be done when the removals are done: what takes the place of something of another type.
        var replacements: [(action: TransferAction, folder: TransferFolder?)] = []

        /// The folders to look into next.
        var folders: [TransferFolder] = []

        /// The actions on the folder itself when all in it and below it is done: its date, its removal.
        var closing: [TransferAction] = []
    }

    /// The items that take part in a transfer at one place.
    private struct Pair {
        let item: FileObject
        let other: FileObject?
        /// The note of when the target's file was written.
        let upload: UploadMemory.Upload?
        let name: String
        let plainName: String
        let path: ItemPath
        /// Why nothing can be done about it.
        var problem: TransferAction.Reason?
    }

    let options: TransferOptions
    let comparison: FileComparison
    let names: NameTranslation

    /// The attributes of an item that can be set at the target.
    let settable: ItemAttributes.Kinds

    /// Indicates whether the transfer is about everything.
    let isUnfiltered: Bool

    /// Indicates whether a folder that the target lacks is copied or moved there as a whole.
    let takesWholeFolders: Bool

    /// Indicates whether pipes, sockets and devices are copied as what they are.
    let copiesSpecialItems: Bool

    /// The source names all that it has.
    let listsDotNames: Bool

    /// Indicates whether an action names each file that is the same on both sides; else these are counted, which is
    /// much quicker where most of a tree has not changed.
    let namesSame: Bool

    /// `a` and `A` are two names at the target.
    let isCaseSensitive: Bool

    /// Composed and decomposed forms of a letter are two names at the target.
    let distinguishesForms: Bool

    init(
        _ options: TransferOptions,
        from source: FileProviderCapabilities,
        to target: FileProviderCapabilities,
        settable: ItemAttributes.Kinds = [],
        takesWholeFolders: Bool = false,
        copiesSpecialItems: Bool = false,
        namesSame: Bool = true
    ) {
        self.options = options
        self.namesSame = namesSame
        self.copiesSpecialItems = copiesSpecialItems
        self.settable = settable
        comparison = FileComparison(options.comparison, from: source, to: target)
        names = NameTranslation(from: source, to: target)
        isUnfiltered = options.filter.isEmpty
        self.takesWholeFolders =
            takesWholeFolders && options.filter.isEmpty && options.order == nil && names.isIdentity
        listsDotNames = source.listsDotNames
        isCaseSensitive = target.isCaseSensitive
        distinguishesForms = target.distinguishesNormalizationForms
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - source: All that the source has in it.
    ///   - target: All that the target has in it; empty if there is no such folder.
    ///   - uploads: The notes of when the target's files were written.
    /// - Returns: The actions to be done.
    func decide(
        in folder: TransferFolder,
        source: [FileObject],
        target: [FileObject],
        uploads: [String: UploadMemory.Upload] = [:]
    ) -> Decision {
        var decision = Decision()
        let (matches, extras) = match(source, target, uploads, in: folder, &decision)
        decision.actions.reserveCapacity(matches.count)
        for match in matches {
            let item = source[match.item]
            let plainName = names.plain(item.name)
            let name = names.name(plainName)
            let pair = Pair(
                item: item,
                other: match.other.map { target[$0] },
                upload: match.other.flatMap { uploads[target[$0].name] },
                name: name,
                plainName: plainName,
                path: folder.path.appending(name),
                problem: match.problem
            )
            decide(pair, in: folder, &decision)
        }
        if options.mode == .sync {
            for item in extras {
                let path = folder.path.appending(item.name)
                if mayBeHidden(item) {
                    decision.actions.append(TransferAction(.skip, path, .hidden, target: item))
                } else {
                    decision.removals.append(TransferAction(.remove, path, .extra, target: item))
                }
            }
        }
        close(folder, &decision)
        return decision
    }

    /// Decides about a transfer of a single file.
    ///
    /// - Parameters:
    ///   - item: The file or link.
    ///   - other: The target's item at its path.
    ///   - upload: The note of when the target's file was written.
    /// - Returns: The decision: one action.
    func decide(single item: FileObject, _ other: FileObject?, upload: UploadMemory.Upload? = nil) -> Decision {
        var decision = Decision()
        decision.actions = [decide(single: item, other, upload: upload, &decision)]
        return decision
    }

    private func decide(
        single item: FileObject,
        _ other: FileObject?,
        upload: UploadMemory.Upload?,
        _ decision: inout Decision
    ) -> TransferAction {
        let pair = Pair(item: item, other: other, upload: upload, name: "", plainName: "", path: .root)
        if item.type == .other { return TransferAction(.refuse, .root, .special, source: item, target: other) }
        guard let other else { return transferring(.add, pair, .missing) }
        if other.isDirectory { return TransferAction(.refuse, .root, .otherType, source: item, target: other) }
        return decide(pair, other, &decision)
    }

    // MARK: One item

    /// Returns whether a file is the same on both sides, and nothing is to be done about it.
    func isLeft(_ item: FileObject, _ other: FileObject, _ upload: UploadMemory.Upload?) -> Bool {
        item.isRegularFile && options.mode != .move && !options.keepsNewer
            && comparison.compare(item, with: other, writtenAs: upload) == .same && !mayDateAnew(item, other)
            && !mayPermitAnew(item, other)
    }

    /// Returns whether a file that is the same is so by its size alone.
    func isComparedBySize(_ item: FileObject, _ other: FileObject, _ upload: UploadMemory.Upload?) -> Bool {
        guard comparison.tellsBySizeOnly, item.isRegularFile else { return false }
        return upload?.isStill(other, tolerance: comparison.targetTolerance) == nil
    }

    private func decide(_ pair: Pair, in folder: TransferFolder, _ decision: inout Decision) {
        let item = pair.item
        if let problem = pair.problem {
            decision.actions.append(TransferAction(.refuse, pair.path, problem, source: item, target: pair.other))
            return
        }
        let below = {
            TransferFolder(item, in: folder, name: pair.name, plainName: pair.plainName, targetItem: pair.other)
        }
        guard let other = pair.other else {
            if item.isDirectory, !takesWholeFolders {
                decision.actions.append(TransferAction(.makeFolder, pair.path, .missing, source: item))
                decision.folders.append(below())
            } else {
                decision.actions.append(transferring(.add, pair, .missing))
            }
            return
        }
        // A file may take a link's place and a link a file's; only folders are in the way.
        if item.isDirectory != other.isDirectory {
            replace(pair, other, below, &decision)
        } else if item.isDirectory {
            decision.folders.append(below())
        } else {
            decision.actions.append(decide(pair, other, &decision))
        }
    }

    private func decide(_ pair: Pair, _ other: FileObject, _ decision: inout Decision) -> TransferAction {
        func action(_ kind: TransferAction.Kind, _ reason: TransferAction.Reason) -> TransferAction {
            TransferAction(kind, pair.path, reason, source: pair.item, target: other)
        }
        if options.keepsNewer, comparison.isNewer(other, than: pair.item) { return action(.skip, .newer) }
        // One that is there stays, as when a folder is copied into another.
        if pair.item.type == .other, other.type == .other { return action(.skip, .same) }
        switch comparison.compare(pair.item, with: other, writtenAs: pair.upload) {
        case .same:
            if isComparedBySize(pair.item, other, pair.upload) { decision.comparedBySize += 1 }
            if mayDateAnew(pair.item, other) { return dating(pair.path, pair.item, other) }
            if mayPermitAnew(pair.item, other) { return action(.setDates, .permissions) }
            guard options.mode == .move else { return action(.skip, .same) }
            // An item that only looks the same is copied once more before the original goes.
            return comparison.isCertain(pair.item, other)
                ? action(.removeSource, .same) : transferring(.update, pair, .unknown, other)
        case .different(let difference):
            if options.keepsExisting { return action(.skip, .exists) }
            if !options.replacesFiles { return action(.refuse, .exists) }
            return transferring(.update, pair, .init(difference), other)
        }
    }

    private func transferring(
        _ kind: TransferAction.Kind,
        _ pair: Pair,
        _ reason: TransferAction.Reason,
        _ other: FileObject? = nil
    ) -> TransferAction {
        let removes = options.mode == .move
        return TransferAction(kind, pair.path, reason, source: pair.item, target: other, removesSource: removes)
    }

    private func replace(
        _ pair: Pair,
        _ other: FileObject,
        _ below: () -> TransferFolder,
        _ decision: inout Decision
    ) {
        guard options.mode == .sync else {
            decision.actions.append(
                TransferAction(.refuse, pair.path, .otherType, source: pair.item, target: other)
            )
            return
        }
        decision.removals.append(TransferAction(.remove, pair.path, .otherType, source: pair.item, target: other))
        guard pair.item.isDirectory else {
            decision.replacements.append((TransferAction(.add, pair.path, .otherType, source: pair.item), nil))
            return
        }
        var folder = below()
        folder.isAtTarget = false
        folder.targetItem = nil
        decision.replacements.append(
            (TransferAction(.makeFolder, pair.path, .otherType, source: pair.item), folder)
        )
    }

    // MARK: Dates and permissions

    /// Returns whether only the date of the target's file is to be changed; its content is the same.
    private func mayDateAnew(_ item: FileObject, _ other: FileObject) -> Bool {
        item.isRegularFile && options.mode != .move && settable.contains(.fileDates)
            && [.standard, .checksum].contains(options.comparison) && comparison.datesDiffer(item, other)
    }

    /// Returns whether only the permissions of the target's file are to be changed; its content and its date are the
    /// same.
    private func mayPermitAnew(_ item: FileObject, _ other: FileObject) -> Bool {
        item.isRegularFile && options.mode != .move && settable.contains(.permissions)
            && [.standard, .checksum].contains(options.comparison) && item.permissionsDiffer(from: other)
    }

    private func dating(_ path: ItemPath, _ item: FileObject, _ other: FileObject?) -> TransferAction {
        TransferAction(.setDates, path, .date, source: item, target: other)
    }

    /// Adds the actions on the folder itself in the end.
    private func close(_ folder: TransferFolder, _ decision: inout Decision) {
        guard let item = folder.item else {
            if options.mode == .move, !folder.sourcePath.isRoot {
                decision.closing.append(TransferAction(.removeSource, .root, .emptied, source: folder.asItem))
            }
            return
        }
        if settable.contains(.folderDates), item.modifiedDate != nil {
            // Whatever is done in a folder changes its date.
            let isTouched =
                !decision.removals.isEmpty || !decision.replacements.isEmpty
                || decision.actions.contains { [.makeFolder, .add, .update].contains($0.kind) }
            let other = folder.targetItem
            if isTouched || other.map({ comparison.datesDiffer(item, $0) }) ?? true {
                decision.closing.append(dating(folder.path, item, other))
            }
        }
        if options.mode == .move {
            decision.closing.append(TransferAction(.removeSource, folder.path, .emptied, source: item))
        }
    }
}

extension TransferFolder {
    /// The top as an item of the source.
    fileprivate var asItem: FileObject { FileObject(path: sourcePath, type: .directory) }
}

extension TransferAction.Reason {
    init(_ difference: Sameness.Difference) {
        switch difference {
        case .type: self = .otherType
        case .size: self = .size
        case .date: self = .date
        case .checksum: self = .checksum
        case .contents: self = .contents
        case .link: self = .link
        case .unknown: self = .unknown
        }
    }
}
