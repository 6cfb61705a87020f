import FerryCore
import Foundation

/// Finds the pairs: items that the source lists, and those that the target lists.
extension FolderPlanner {
    /// Where the two of a pair are in their listings; a folder may have very many.
    struct Match {
        let item: Int
        let other: Int?
        let problem: TransferAction.Reason?
    }

    /// Finds what each item is compared with.
    ///
    /// - Parameters:
    ///   - source: All that the source has.
    ///   - target: All that the target has.
    ///   - uploads: The notes of when the target's files were written.
    ///   - folder: Where.
    ///   - decision: Counts the files that are the same, if no action names them.
    ///   - losers: Those of the source that clash with others; `nil` if nobody has looked.
    /// - Returns: Those of the source that the transfer is about, and what only the target has.
    func match(
        _ source: [FileObject],
        _ target: [FileObject],
        _ uploads: [String: UploadMemory.Upload],
        in folder: TransferFolder,
        _ decision: inout Decision,
        losers: Set<Int>? = nil
    ) -> (matches: [Match], extras: [FileObject]) {
        var theirs: [String: Int] = [:]
        theirs.reserveCapacity(target.count)
        for index in target.indices { theirs[key(target[index].name)] = index }
        var isMatched = [Bool](repeating: false, count: target.count)
        var matched = 0
        var unmatched: Set<String> = []
        var matches: [Match] = []
        var (left, leftBySize) = (0, 0)
        for (position, item) in source.enumerated() {
            let plainName = names.plain(item.name)
            let name = names.name(plainName)
            let key = key(name)
            let index = theirs[key]
            let isFirst = index.map { !isMatched[$0] } ?? unmatched.insert(key).inserted
            if !isFirst, losers == nil {
                let losers = self.losers(of: source, target, theirs, in: folder)
                return match(source, target, uploads, in: folder, &decision, losers: losers)
            }
            if let index, isFirst {
                isMatched[index] = true
                matched += 1
            }
            guard isMeant(item, plainName, in: folder) else { continue }
            let isLoser = losers?.contains(position) ?? false
            let problem = isLoser ? .nameClash : problem(of: item, name, at: index.map { target[$0] }, in: folder)
            if problem == nil, !namesSame, let index {
                let (other, upload) = (target[index], uploads.isEmpty ? nil : uploads[target[index].name])
                if isLeft(item, other, upload) {
                    left += 1
                    if isComparedBySize(item, other, upload) { leftBySize += 1 }
                    continue
                }
            }
            matches.append(Match(item: position, other: index, problem: problem))
        }
        decision.same += left
        decision.comparedBySize += leftBySize
        guard matched < theirs.count else { return (matches, []) }
        let extras = target.filter { item in
            theirs[key(item.name)].map { !isMatched[$0] } ?? false
                && isMeant(item, names.plain(atTarget: item.name), in: folder)
        }
        return (matches, extras)
    }

    /// Returns whether the transfer is about an item.
    private func isMeant(_ item: FileObject, _ plainName: String, in folder: TransferFolder) -> Bool {
        isUnfiltered || options.filter.includes(item, at: folder.plainPath.appending(plainName))
    }

    /// Of the items whose names the target can't tell apart, those of which nothing can be copied.
    ///
    /// One can: the one whose very name the target has, so that it is the same one the next time; else the first. One that
    /// is left out stays what it is at the target, too. Of a move none can: when the first is gone, nothing tells that
    /// the copy is not that of the second, which would replace it.
    ///
    /// - Returns: Where they are among the source's items.
    private func losers(
        of source: [FileObject],
        _ target: [FileObject],
        _ theirs: [String: Int],
        in folder: TransferFolder
    ) -> Set<Int> {
        var twins: [String: [Int]] = [:]
        for (position, item) in source.enumerated() {
            twins[key(names.name(names.plain(item.name))), default: []].append(position)
        }
        var losers: Set<Int> = []
        for (key, positions) in twins where positions.count > 1 {
            losers.formUnion(positions)
            if options.mode == .move { continue }
            let there = theirs[key].map { target[$0].name.utf8 }
            let winner =
                positions.first { position in
                    there?.elementsEqual(names.name(names.plain(source[position].name)).utf8) ?? false
                } ?? positions.first { isMeant(source[$0], names.plain(source[$0].name), in: folder) }
            if let winner { losers.remove(winner) }
        }
        return losers
    }

    /// Returns whether the source may have an item that only the target seems to have.
    func mayBeHidden(_ item: FileObject) -> Bool {
        !listsDotNames && names.plain(atTarget: item.name).hasPrefix(".")
    }

    /// Why nothing can be done about an item.
    private func problem(
        of item: FileObject,
        _ name: String,
        at other: FileObject?,
        in folder: TransferFolder
    ) -> TransferAction.Reason? {
        if folder.contains(itself: item) { return .loop }
        // Whoever copies whole folders brings these, too: one that is there may stay, and nothing more.
        if item.type == .other {
            let fits = other.map { $0.type == .other } ?? copiesSpecialItems
            if options.mode == .move || !fits { return .special }
        }
        return names.fits(name) ? nil : .invalidName
    }

    /// Returns what two names have in common that the target can't tell apart.
    private func key(_ name: String) -> String {
        let folded = isCaseSensitive ? name : name.lowercased()
        guard distinguishesForms else { return folded.precomposedStringWithCanonicalMapping }
        // Texts of different bytes can be equal: bytes can't.
        return folded.utf8.allSatisfy { $0 < 0x80 } ? folded : folded.utf8.map { String($0, radix: 16) }.joined()
    }
}
