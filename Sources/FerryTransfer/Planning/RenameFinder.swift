import FerryCore
import Foundation

/// Finds files that the target has under another name: what would be copied anew and removed is moved instead.
enum RenameFinder {
    /// An addition that seems to be of a file that would be removed.
    struct Match: Sendable {
        /// Which of the actions.
        let addition: Int
        /// Which of the removals.
        let removal: Int
        /// Indicates whether listings prove it; else the contents have to be compared.
        let isCertain: Bool
    }

    /// The evidence that makes two files seem one.
    private enum Proof: CaseIterable {
        /// A checksum of the same kind.
        case checksum
        /// The same name in another folder, size and exact date.
        case name
        /// Size and exact date.
        case date
    }

    /// The properties that two files must have in common to be one that was moved.
    private struct Likeness: Hashable {
        let size: Int64
        let words: String
    }

    /// Files of one likeness that are compared, at most; of more nobody can tell which is which.
    private static let mostAlike = 1_000

    /// Finds additions and removals of the same file.
    ///
    /// Only where no other file on either side could be meant. Dates count at a target that keeps them; files that are
    /// empty are never taken for one another.
    ///
    /// - Parameters:
    ///   - actions: The actions.
    ///   - removals: The removals.
    ///   - comparison: Compares files of the two storages by checksum, size and date.
    ///   - demandsChecksums: `true` if name, size and date are no proof.
    /// - Returns: Pairs; no addition and no removal is in two of them.
    static func matches(
        _ actions: [TransferAction],
        _ removals: [TransferAction],
        _ comparison: FileComparison,
        demandsChecksums: Bool = false
    ) -> [Match] {
        var matches: [Match] = []
        var (found, gone): (Set<Int>, Set<Int>) = ([], [])
        for proof in Proof.allCases {
            let additions = places(of: .add, in: actions, by: proof, without: found) { $0.source }
            let candidates = places(of: .remove, in: removals, by: proof, without: gone) { $0.target }
            for (likeness, places) in additions.sorted(by: { $0.value.lexicographicallyPrecedes($1.value) }) {
                guard let theirs = candidates[likeness], max(places.count, theirs.count) <= mostAlike else { continue }
                func isOne(_ addition: Int, _ removal: Int) -> Bool {
                    proof == .checksum || isSame(actions[addition].source, removals[removal].target, comparison)
                }
                for addition in places where !found.contains(addition) {
                    let fitting = theirs.filter { isOne(addition, $0) }
                    guard fitting.count == 1, let removal = fitting.first,
                        places.count(where: { isOne($0, removal) }) == 1, gone.insert(removal).inserted
                    else { continue }
                    found.insert(addition)
                    let isCertain = proof == .checksum || (proof == .name && !demandsChecksums)
                    matches.append(Match(addition: addition, removal: removal, isCertain: isCertain))
                }
            }
        }
        return matches
    }

    /// Turns additions and removals of the same file into renamings.
    ///
    /// - Parameters:
    ///   - matches: The pairs.
    ///   - actions: The actions; an addition that is a renaming becomes one where it is.
    ///   - removals: The removals; those of moved items are taken out.
    static func apply(_ matches: [Match], _ actions: inout [TransferAction], _ removals: inout [TransferAction]) {
        for match in matches {
            actions[match.addition].kind = .rename
            actions[match.addition].target = removals[match.removal].target
            actions[match.addition].from = removals[match.removal].path
        }
        let gone = Set(matches.map(\.removal))
        removals = removals.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
    }

    private static func places(
        of kind: TransferAction.Kind,
        in actions: [TransferAction],
        by proof: Proof,
        without taken: Set<Int>,
        _ item: (TransferAction) -> FileObject?
    ) -> [Likeness: [Int]] {
        var places: [Likeness: [Int]] = [:]
        for (index, action) in actions.enumerated() where action.kind == kind && !taken.contains(index) {
            guard let item = item(action), item.isRegularFile, let size = item.size, size > 0 else { continue }
            let words: [String] =
                switch proof {
                case .checksum:
                    (item.extras[.checksums] ?? [:]).filter(\.key.provesSameness).map { kind, sum in
                        "\(kind.rawValue):\(kind.normalized(sum))"
                    }
                case .name: [action.path.lastName]
                case .date: [""]
                }
            for words in words { places[Likeness(size: size, words: words), default: []].append(index) }
        }
        return places
    }

    /// Returns whether nothing that listings say tells two files apart, and they have the same date.
    private static func isSame(_ item: FileObject?, _ other: FileObject?, _ comparison: FileComparison) -> Bool {
        guard let item, let other else { return false }
        return comparison.compare(item, with: other) == .same && comparison.isCertain(item, other)
    }
}
