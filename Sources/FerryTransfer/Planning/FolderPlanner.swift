import FerryCore
import Foundation

/// Decides what to do in one folder, from what the two sides list there; asks and changes nothing.
struct FolderPlanner: Sendable {
    /// What is to be done in a folder.
    struct Decision: Sendable {
        /// In the order of the source's listing; a folder's own action only, nothing of what is below.
        var actions: [TransferAction] = []

        /// What only the target has, or what is in the way: to be removed once everything was listed.
        var removals: [TransferAction] = []

        /// To be done when the removals are done: what takes the place of something of another type.
        var replacements: [(action: TransferAction, folder: TransferFolder?)] = []

        /// The folders to look into next.
        var folders: [TransferFolder] = []

        /// What to do with the folder itself when all in it and below it is done: its date, its removal.
        var closing: [TransferAction] = []
    }

    /// What takes part in a transfer at one place.
    private struct Pair {
        let item: FileObject
        let other: FileObject?
        let name: String
        let plainName: String
        let path: ItemPath
        /// Why nothing can be done about it.
        var problem: TransferAction.Reason?
    }

    /// An item of the source, by the name that it has at the target.
    private struct Candidate {
        let item: FileObject
        let name: String
        let plainName: String
        /// What it has in common with all that the target can't tell from it.
        let key: String
        /// Whether the transfer is about it.
        let isMeant: Bool
    }

    let options: TransferOptions
    let comparison: FileComparison
    let names: NameTranslation

    /// What of an item can be set at the target.
    let settable: ItemAttributes.Kinds

    /// Whether a folder that the target lacks is copied or moved there as a whole.
    let takesWholeFolders: Bool

    /// The source names all that it has.
    let listsDotNames: Bool

    /// `a` and `A` are two names at the target.
    let isCaseSensitive: Bool

    /// Composed and decomposed forms of a letter are two names at the target.
    let distinguishesForms: Bool

    init(
        _ options: TransferOptions,
        from source: FileProviderCapabilities,
        to target: FileProviderCapabilities,
        settable: ItemAttributes.Kinds = [],
        takesWholeFolders: Bool = false
    ) {
        self.options = options
        self.settable = settable
        comparison = FileComparison(options.comparison, from: source, to: target)
        names = NameTranslation(from: source, to: target)
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
    /// - Returns: What to do.
    func decide(in folder: TransferFolder, source: [FileObject], target: [FileObject]) -> Decision {
        var decision = Decision()
        let (pairs, extras) = match(source, target, in: folder)
        for pair in pairs { decide(pair, in: folder, &decision) }
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
    ///   - other: What the target has at its path.
    /// - Returns: What to do.
    func decide(single item: FileObject, _ other: FileObject?) -> TransferAction {
        let pair = Pair(item: item, other: other, name: "", plainName: "", path: .root)
        if item.type == .other { return TransferAction(.refuse, .root, .special, source: item, target: other) }
        guard let other else { return transferring(.add, pair, .missing) }
        if other.isDirectory { return TransferAction(.refuse, .root, .otherType, source: item, target: other) }
        return decide(pair, other)
    }

    // MARK: Who belongs together

    /// Finds what each item is compared with.
    ///
    /// - Returns: The items of the source that the transfer is about, and what only the target has.
    private func match(
        _ source: [FileObject],
        _ target: [FileObject],
        in folder: TransferFolder
    ) -> (pairs: [Pair], extras: [FileObject]) {
        var theirs: [String: FileObject] = [:]
        theirs.reserveCapacity(target.count)
        for item in target { theirs[key(item.name)] = item }
        var counts: [String: Int] = [:]
        counts.reserveCapacity(source.count)
        let candidates = source.map { item in
            let candidate = candidate(item, in: folder)
            counts[candidate.key, default: 0] += 1
            return candidate
        }
        let clashing = counts.count < source.count ? losers(among: candidates, counts, theirs) : []
        var pairs: [Pair] = []
        pairs.reserveCapacity(source.count)
        for (index, candidate) in candidates.enumerated() where candidate.isMeant {
            let (item, name) = (candidate.item, candidate.name)
            let problem: TransferAction.Reason? =
                if clashing.contains(index) {
                    .nameClash
                } else if folder.contains(itself: item) {
                    .loop
                } else if item.type == .other {
                    .special
                } else if !names.fits(name) {
                    .invalidName
                } else {
                    nil
                }
            pairs.append(
                Pair(
                    item: item,
                    other: theirs[candidate.key],
                    name: name,
                    plainName: candidate.plainName,
                    path: folder.path.appending(name),
                    problem: problem
                )
            )
        }
        let extras = target.filter { item in
            counts[key(item.name)] == nil
                && options.filter.includes(
                    item,
                    at: folder.plainPath.appending(names.plain(atTarget: item.name))
                )
        }
        return (pairs, extras)
    }

    private func candidate(_ item: FileObject, in folder: TransferFolder) -> Candidate {
        let plainName = names.plain(item.name)
        let name = names.name(plainName)
        let isMeant = options.filter.isEmpty || options.filter.includes(item, at: folder.plainPath.appending(plainName))
        return Candidate(item: item, name: name, plainName: plainName, key: key(name), isMeant: isMeant)
    }

    /// Of the items whose names the target can't tell apart, those of which nothing can be copied.
    ///
    /// One can: the one whose very name the target has, so that it is the same one the next time; else the first. One that
    /// is left out stays what it is at the target, too. Of a move none can: when the first is gone, nothing tells that
    /// the copy is not that of the second, which would replace it.
    private func losers(
        among candidates: [Candidate],
        _ counts: [String: Int],
        _ theirs: [String: FileObject]
    ) -> Set<Int> {
        var winners: [String: Int] = [:]
        if options.mode != .move {
            for (index, candidate) in candidates.enumerated() where counts[candidate.key, default: 0] > 1 {
                let isThere = theirs[candidate.key]?.name.utf8.elementsEqual(candidate.name.utf8) ?? false
                if isThere || winners[candidate.key] == nil && candidate.isMeant { winners[candidate.key] = index }
            }
        }
        return Set(
            candidates.indices.filter { index in
                let key = candidates[index].key
                return counts[key, default: 0] > 1 && winners[key] != index
            }
        )
    }

    /// Whether the source may have an item that only the target seems to have.
    private func mayBeHidden(_ item: FileObject) -> Bool {
        !listsDotNames && names.plain(atTarget: item.name).hasPrefix(".")
    }

    /// What two names have in common that the target can't tell apart.
    private func key(_ name: String) -> String {
        let folded = isCaseSensitive ? name : name.lowercased()
        guard distinguishesForms else { return folded.precomposedStringWithCanonicalMapping }
        // Texts of different bytes can be equal: bytes can't.
        return folded.utf8.allSatisfy { $0 < 0x80 } ? folded : folded.utf8.map { String($0, radix: 16) }.joined()
    }

    // MARK: One item

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
            decision.actions.append(decide(pair, other))
        }
    }

    private func decide(_ pair: Pair, _ other: FileObject) -> TransferAction {
        func action(_ kind: TransferAction.Kind, _ reason: TransferAction.Reason) -> TransferAction {
            TransferAction(kind, pair.path, reason, source: pair.item, target: other)
        }
        if options.keepsNewer, comparison.isNewer(other, than: pair.item) { return action(.skip, .newer) }
        switch comparison.compare(pair.item, with: other) {
        case .same:
            if mayDateAnew(pair.item, other) { return dating(pair.path, pair.item, other) }
            guard options.mode == .move else { return action(.skip, .same) }
            // What only looks the same is copied once more before the original goes.
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

    // MARK: Dates

    /// Whether only the date of the target's file is to be changed; its content is the same.
    private func mayDateAnew(_ item: FileObject, _ other: FileObject) -> Bool {
        item.isRegularFile && options.mode != .move && settable.contains(.fileDates)
            && [.standard, .checksum].contains(options.comparison) && comparison.datesDiffer(item, other)
    }

    private func dating(_ path: ItemPath, _ item: FileObject, _ other: FileObject?) -> TransferAction {
        TransferAction(.setDates, path, .date, source: item, target: other)
    }

    /// What to do with the folder itself in the end.
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
