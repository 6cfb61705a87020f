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
        var replacements: [TransferAction] = []

        /// The folders to look into next, and whether the target has each.
        var folders: [(path: ItemPath, isAtTarget: Bool)] = []
    }

    let options: TransferOptions
    let comparison: FileComparison

    /// `a` and `A` are two names at the target.
    let isCaseSensitive: Bool

    /// Composed and decomposed forms of a letter are two names at the target.
    let distinguishesForms: Bool

    init(_ options: TransferOptions, from source: FileProviderCapabilities, to target: FileProviderCapabilities) {
        self.options = options
        comparison = FileComparison(options.comparison, from: source, to: target)
        isCaseSensitive = target.isCaseSensitive
        distinguishesForms = target.distinguishesNormalizationForms
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - folder: The folder, from the top of the transfer.
    ///   - source: All that the source has in it.
    ///   - target: All that the target has in it; empty if there is no such folder.
    /// - Returns: What to do.
    func decide(in folder: ItemPath, source: [FileObject], target: [FileObject]) -> Decision {
        var decision = Decision()
        var theirs: [String: FileObject] = [:]
        for item in target { theirs[key(item.name)] = item }
        var seen: Set<String> = []
        for item in source {
            let key = key(item.name)
            let other = theirs.removeValue(forKey: key)
            let path = folder.appending(item.name)
            guard options.filter.includes(item, at: path) else { continue }
            guard seen.insert(key).inserted else {
                decision.actions.append(TransferAction(.refuse, path, .nameClash, source: item))
                continue
            }
            decide(item, other, at: path, &decision)
        }
        if options.mode == .sync {
            for item in target where theirs[key(item.name)] != nil {
                let path = folder.appending(item.name)
                guard options.filter.includes(item, at: path) else { continue }
                decision.removals.append(TransferAction(.remove, path, .extra, target: item))
            }
        }
        return decision
    }

    /// What two names have in common that the target can't tell apart.
    private func key(_ name: String) -> String {
        let folded = isCaseSensitive ? name : name.lowercased()
        guard distinguishesForms else { return folded.precomposedStringWithCanonicalMapping }
        // Texts of different bytes can be equal: bytes can't.
        return folded.utf8.allSatisfy { $0 < 0x80 } ? folded : folded.utf8.map { String($0, radix: 16) }.joined()
    }

    private func decide(_ item: FileObject, _ other: FileObject?, at path: ItemPath, _ decision: inout Decision) {
        guard item.type != .other else {
            decision.actions.append(TransferAction(.refuse, path, .special, source: item, target: other))
            return
        }
        guard let other else {
            decision.actions.append(
                TransferAction(item.isDirectory ? .makeFolder : .add, path, .missing, source: item)
            )
            if item.isDirectory { decision.folders.append((path, false)) }
            return
        }
        // A file may take a link's place and a link a file's; only folders are in the way.
        if item.isDirectory != other.isDirectory {
            return replace(item, other, at: path, &decision)
        }
        if item.isDirectory {
            decision.folders.append((path, true))
            return
        }
        if options.keepsNewer, comparison.isNewer(other, than: item) {
            decision.actions.append(TransferAction(.skip, path, .newer, source: item, target: other))
            return
        }
        switch comparison.compare(item, with: other) {
        case .same:
            decision.actions.append(TransferAction(.skip, path, .same, source: item, target: other))
        case .different where !options.replacesFiles:
            decision.actions.append(TransferAction(.refuse, path, .exists, source: item, target: other))
        case .different(let difference):
            decision.actions.append(TransferAction(.update, path, .init(difference), source: item, target: other))
        }
    }

    private func replace(_ item: FileObject, _ other: FileObject, at path: ItemPath, _ decision: inout Decision) {
        guard options.mode == .sync else {
            decision.actions.append(TransferAction(.refuse, path, .otherType, source: item, target: other))
            return
        }
        decision.removals.append(TransferAction(.remove, path, .otherType, source: item, target: other))
        let kind: TransferAction.Kind = item.isDirectory ? .makeFolder : .add
        decision.replacements.append(TransferAction(kind, path, .otherType, source: item))
    }
}

extension TransferAction.Reason {
    init(_ difference: Sameness.Difference) {
        switch difference {
        case .type: self = .otherType
        case .size: self = .size
        case .date: self = .date
        case .checksum, .contents: self = .checksum
        case .link: self = .link
        case .unknown: self = .unknown
        }
    }
}
