import FerryCore
import Foundation

/// The order in which changes can be applied, one after the other, to a copy that is kept by paths.
///
/// The service tells the last state of each item, in any order: two files can have changed places, a folder can have
/// gone after what was in it had moved away, a new item can have the place of one that moved.
///
/// Removals come first, as seen from where everything was. Then folders come before what is in them, and an item comes
/// after the one whose place it takes; of items that change places in a circle, one is removed and comes anew.
struct DeltaPlan {
    /// An item that is there.
    struct Arrival: Sendable {
        /// The item at its place.
        let item: FileObject
        /// The identifier.
        let id: String
        /// The places at which it was seen before, the earliest first.
        let places: [KnownItems.Sighting]
    }

    /// An item that is gone.
    struct Departure: Sendable {
        /// The identifier; `nil` for a folder that was never seen itself.
        let id: String?
        /// The places at which it was seen before.
        let places: [KnownItems.Sighting]
    }

    /// A change.
    enum Step: Sendable, Hashable {
        /// The item, with all below it, is gone from this path.
        case removed(ItemPath, id: String?)
        /// The item is gone, and nobody here has seen where it was.
        case removedItem(id: String)
        /// The item is new or has changed.
        case updated(Update)

        /// A Boolean value that indicates whether it names an identifier and no path.
        var hasNoPath: Bool {
            if case .removedItem = self { true } else { false }
        }
    }

    /// A change of an item that is there.
    struct Update: Sendable, Hashable {
        /// The item.
        let item: FileObject
        /// The path from which it moved, as things are by now.
        let previous: ItemPath?
        /// A Boolean value that indicates whether it was seen before.
        let wasKnown: Bool
        /// The place at which a folder was seen that comes from elsewhere: what is in it has not changed, and is not
        /// among the changes.
        let formerFolder: ItemPath?
    }

    /// Items that wait for each other, at most; of more, one is removed and comes anew.
    private static let longestChain = 200

    /// The changes in order.
    private(set) var steps: [Step] = []

    private let arrivals: [String: Arrival]
    /// The arrivals that were seen before, by where they were.
    private var leaving: [ItemPath: String] = [:]
    /// The places at which arrivals were.
    private var sources: [String: ItemPath] = [:]
    /// The arrivals by their places, to find the folders of others.
    private let targets: [ItemPath: String]
    /// The folders that went elsewhere so far, or were removed, as seen from where they were then.
    private var moves: [(from: ItemPath, to: ItemPath?)] = []
    private var removed: Set<ItemPath> = []
    private var isDone: Set<String> = []
    private var isUnderWay: Set<String> = []

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - arrivals: The items that are there.
    ///   - departures: The items that are gone.
    ///   - occupied: The paths of items that are known and have not changed.
    init(_ arrivals: [Arrival], _ departures: [Departure], occupied: Set<ItemPath> = []) {
        self.arrivals = Dictionary(arrivals.map { ($0.id, $0) }) { $1 }
        targets = Dictionary(arrivals.map { (OneDriveName.key($0.item.path), $0.id) }) { $1 }
        var gone: [ItemPath: String?] = [:]
        for departure in departures {
            for place in departure.places where !occupied.contains(place.path) {
                gone[place.path] = .some(departure.id)
            }
        }
        var folders: [ItemPath: Int] = [:]
        for arrival in arrivals {
            let path = arrival.item.path
            let former = arrival.places.filter { $0.path != path }
            guard let source = former.last else { continue }
            sources[arrival.id] = source.path
            leaving[OneDriveName.key(source.path)] = arrival.id
            if source.place.isFolder { folders[source.path] = max(source.until, folders[source.path] ?? 0) }
            // It was seen at several places: at all but one nothing is left of it.
            for other in former.dropLast() where other.path != source.path && !occupied.contains(other.path) {
                gone[other.path] = .some(arrival.id)
            }
        }
        // An item that is where it was can have gone elsewhere with its folder, and have come back.
        for arrival in arrivals where sources[arrival.id] == nil {
            let path = arrival.item.path
            guard let place = arrival.places.last, leaving[OneDriveName.key(path)] == nil else { continue }
            var folder = path.parent
            while !folder.isRoot {
                if let until = folders[folder], place.since < until {
                    sources[arrival.id] = path
                    leaving[OneDriveName.key(path)] = arrival.id
                    break
                }
                folder = folder.parent
            }
        }
        remove(gone)
        for arrival in arrivals.sorted(by: { $0.item.path < $1.item.path }) { place(arrival.id, depth: 0) }
    }

    // MARK: Removals

    private mutating func remove(_ gone: [ItemPath: String?]) {
        // A folder stands right before what is below it.
        for (path, id) in gone.sorted(by: { $0.key < $1.key }) where !isRemoved(path) {
            removed.insert(path)
            steps.append(.removed(path, id: id))
        }
    }

    // MARK: Arrivals

    private mutating func place(_ id: String, depth: Int) {
        guard let arrival = arrivals[id], !isDone.contains(id), isUnderWay.insert(id).inserted else { return }
        let path = arrival.item.path
        if let folder = folders(above: path).first(where: { $0 != id }) { place(folder, depth: depth + 1) }
        makeRoom(at: path, for: id, depth: depth)
        isUnderWay.remove(id)
        isDone.insert(id)
        let source = sources[id]
        let place = source.flatMap { present($0) }
        if let source { leaving[OneDriveName.key(source)] = nil }
        let isMoved = source != nil && place != path
        let update = Update(
            item: arrival.item,
            previous: isMoved ? place : nil,
            wasKnown: !arrival.places.isEmpty,
            formerFolder: isMoved && arrival.item.isDirectory ? source : nil
        )
        steps.append(.updated(update))
        if isMoved, let place, arrival.item.isDirectory { moves.append((place, path)) }
    }

    /// Lets the item go first that is at a path now.
    private mutating func makeRoom(at path: ItemPath, for id: String, depth: Int) {
        guard let other = leaving[OneDriveName.key(former(path))], other != id, !isDone.contains(other),
            let source = sources[other], let place = present(source), OneDriveName.key(place) == OneDriveName.key(path)
        else { return }
        if isUnderWay.contains(other) || depth >= Self.longestChain || isWaiting(other) {
            // A circle, or a long row: it comes anew when it is its turn.
            moves.append((place, nil))
            steps.append(.removed(place, id: other))
            leaving[OneDriveName.key(source)] = nil
        } else {
            self.place(other, depth: depth + 1)
        }
    }

    /// Returns whether an item goes into a folder that is not at its place yet.
    private func isWaiting(_ id: String) -> Bool {
        guard let path = arrivals[id]?.item.path else { return false }
        return folders(above: path).contains(where: isUnderWay.contains)
    }

    /// Returns the arrivals above a path, the nearest first.
    private func folders(above path: ItemPath) -> [String] {
        var folders: [String] = []
        var folder = path.parent
        while !folder.isRoot {
            if let id = targets[OneDriveName.key(folder)] { folders.append(id) }
            folder = folder.parent
        }
        return folders
    }

    // MARK: Where things are by now

    /// Returns where something is after the moves so far that was at a path at first; `nil` if it was removed.
    private func present(_ path: ItemPath) -> ItemPath? {
        guard !isRemoved(path) else { return nil }
        var path = path
        for move in moves where path == move.from || path.isBelow(move.from) {
            guard let target = move.to else { return nil }
            path = path.replacing(move.from, with: target)
        }
        return path
    }

    /// Returns where something was at first that is at a path after the moves so far.
    private func former(_ path: ItemPath) -> ItemPath {
        moves.reversed().reduce(path) { path, move in move.to.map { path.replacing($0, with: move.from) } ?? path }
    }

    private func isRemoved(_ path: ItemPath) -> Bool {
        guard !removed.isEmpty else { return false }
        var path = path
        while !path.isRoot {
            if removed.contains(path) { return true }
            path = path.parent
        }
        return false
    }
}
