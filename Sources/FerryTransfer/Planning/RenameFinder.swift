import FerryCore
import Foundation

/// Finds files that the target has under another name: what would be copied anew and removed is moved instead.
enum RenameFinder {
    /// What two files must have in common to be one that was moved.
    private struct Likeness: Hashable {
        let size: Int64
        let proof: String
    }

    /// Turns additions and removals of the same file into renamings.
    ///
    /// Only where no other file on either side could be meant: a checksum of the same kind, or size and date of files that
    /// are not empty, at a target that keeps dates.
    ///
    /// - Parameters:
    ///   - actions: What is to be done; an addition that is a renaming becomes one where it is.
    ///   - removals: What is to be removed; what is moved is taken out.
    ///   - keepsDates: Whether a file at the target has the date of its source.
    static func rename(_ actions: inout [TransferAction], _ removals: inout [TransferAction], keepsDates: Bool) {
        let additions = places(of: .add, in: actions, keepsDates) { $0.source }
        let candidates = places(of: .remove, in: removals, keepsDates) { $0.target }
        var gone: Set<Int> = []
        for (likeness, places) in additions.sorted(by: { $0.value.lexicographicallyPrecedes($1.value) }) {
            guard places.count == 1, let addition = places.first, let sources = candidates[likeness],
                sources.count == 1,
                let removal = sources.first, actions[addition].kind == .add, gone.insert(removal).inserted
            else { continue }
            actions[addition].kind = .rename
            actions[addition].target = removals[removal].target
            actions[addition].from = removals[removal].path
        }
        removals = removals.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
    }

    private static func places(
        of kind: TransferAction.Kind,
        in actions: [TransferAction],
        _ keepsDates: Bool,
        _ item: (TransferAction) -> FileObject?
    ) -> [Likeness: [Int]] {
        var places: [Likeness: [Int]] = [:]
        for (index, action) in actions.enumerated() where action.kind == kind {
            for likeness in likenesses(item(action), keepsDates) { places[likeness, default: []].append(index) }
        }
        return places
    }

    private static func likenesses(_ item: FileObject?, _ keepsDates: Bool) -> [Likeness] {
        guard let item, item.isRegularFile, let size = item.size, size > 0 else { return [] }
        var likenesses: [Likeness] = []
        for (kind, sum) in item.extras[.checksums] ?? [:] {
            likenesses.append(Likeness(size: size, proof: "\(kind.rawValue):\(sum.lowercased())"))
        }
        if likenesses.isEmpty, keepsDates, let date = item.modifiedDate {
            likenesses.append(Likeness(size: size, proof: "\(Int64(date.timeIntervalSince1970.rounded(.down)))"))
        }
        return likenesses
    }
}
