import FerryCore

/// The changes that somebody has applied so far, to know where things are by now.
struct AppliedSteps {
    /// The folders that went elsewhere, or items that were removed, in order.
    private var moves: [(from: ItemPath, to: ItemPath?)] = []
    /// The places at which items were put, as they are known by.
    private var taken: Set<ItemPath> = []

    /// Adds a change.
    ///
    /// - Parameter step: The change.
    mutating func add(_ step: DeltaPlan.Step) {
        switch step {
        case .removed(let path, _): moves.append((path, nil))
        case .removedItem: break
        case .updated(let update):
            taken.insert(OneDriveName.key(update.item.path))
            if let previous = update.previous, update.item.isDirectory { moves.append((previous, update.item.path)) }
        }
    }

    /// Returns where something is by now that was at a path before.
    ///
    /// - Parameter path: The path.
    /// - Returns: The path; `nil` if it is gone, or if another item was put there.
    func present(_ path: ItemPath) -> ItemPath? {
        var place = path
        if taken.contains(OneDriveName.key(place)) { return nil }
        for move in moves where place == move.from || place.isBelow(move.from) {
            guard let target = move.to else { return nil }
            place = place.replacing(move.from, with: target)
        }
        return place != path && taken.contains(OneDriveName.key(place)) ? nil : place
    }
}
