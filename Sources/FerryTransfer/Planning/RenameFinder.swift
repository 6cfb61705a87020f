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
    ///   - plan: The plan.
    ///   - keepsDates: Whether a file at the target has the date of its source.
    /// - Returns: The plan with renamings; each is where the addition was.
    static func renaming(in plan: TransferPlan, keepsDates: Bool) -> TransferPlan {
        var additions: [Likeness: [Int]] = [:]
        var removals: [Likeness: [Int]] = [:]
        for (index, action) in plan.actions.enumerated() {
            switch action.kind {
            case .add:
                for likeness in likenesses(action.source, keepsDates) { additions[likeness, default: []].append(index) }
            case .remove:
                for likeness in likenesses(action.target, keepsDates) { removals[likeness, default: []].append(index) }
            default: break
            }
        }
        var plan = plan
        var gone: Set<Int> = []
        for (likeness, places) in additions {
            guard places.count == 1, let addition = places.first, let sources = removals[likeness], sources.count == 1,
                let removal = sources.first, plan.actions[addition].kind == .add, gone.insert(removal).inserted
            else { continue }
            plan.actions[addition].kind = .rename
            plan.actions[addition].target = plan.actions[removal].target
            plan.actions[addition].from = plan.actions[removal].path
        }
        plan.actions = plan.actions.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
        return plan
    }

    private static func likenesses(_ item: FileObject?, _ keepsDates: Bool) -> [Likeness] {
        guard let item, item.isRegularFile, let size = item.size, size > 0 else { return [] }
        if let checksums = item.extras[.checksums], !checksums.isEmpty {
            return checksums.map { Likeness(size: size, proof: "\($0.key.rawValue):\($0.value.lowercased())") }
        }
        guard keepsDates, let date = item.modifiedDate else { return [] }
        return [Likeness(size: size, proof: "\(Int64(date.timeIntervalSince1970.rounded(.down)))")]
    }
}
