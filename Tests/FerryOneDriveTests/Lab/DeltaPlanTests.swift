import FerryCore
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("The order of changes")
struct DeltaPlanTests {
    /// An item that was at some path, and is at another.
    private struct Move {
        var id: String
        var from: ItemPath?
        var to: ItemPath?
        var isFolder = false
    }

    /// Returns the steps for items that have moved, come and gone.
    private func steps(_ moves: [Move]) -> [DeltaPlan.Step] {
        var arrivals: [DeltaPlan.Arrival] = []
        var departures: [DeltaPlan.Departure] = []
        for move in moves {
            let places = move.from.map { [KnownItems.Sighting(place: .init(path: $0, isFolder: move.isFolder))] } ?? []
            guard let target = move.to else {
                departures.append(DeltaPlan.Departure(id: move.id, places: places))
                continue
            }
            var item = FileObject(path: target, type: move.isFolder ? .directory : .file)
            item.id = move.id
            arrivals.append(DeltaPlan.Arrival(item: item, id: move.id, places: places))
        }
        return DeltaPlan(arrivals, departures).steps
    }

    /// Applies steps to a copy that knows an item by its path only.
    private func apply(_ steps: [DeltaPlan.Step], to start: [ItemPath: String]) -> [ItemPath: String] {
        var copy = start
        for step in steps {
            switch step {
            case .removed(let path, _): copy = copy.filter { $0.key != path && !$0.key.isBelow(path) }
            case .removedItem(let id): Issue.record("a plan of known places has no place of \(id)")
            case .updated(let update):
                if let previous = update.previous {
                    copy = Dictionary(copy.map { ($0.key.replacing(previous, with: update.item.path), $0.value) }) {
                        $1
                    }
                }
                copy[update.item.path] = update.item.id
            }
        }
        return copy
    }

    @Test("files that change places in a circle end in theirs", arguments: 2...5)
    func circle(count: Int) {
        let paths = (0..<count).map { "/\($0)" as ItemPath }
        let moves = (0..<count).map { Move(id: "i\($0)", from: paths[$0], to: paths[($0 + 1) % count]) }
        let start = Dictionary(uniqueKeysWithValues: moves.map { ($0.from ?? .root, $0.id) })
        let end = Dictionary(uniqueKeysWithValues: moves.map { ($0.to ?? .root, $0.id) })
        #expect(apply(steps(moves), to: start) == end)
    }

    @Test("a long row of renames, each to the next one's name, ends right")
    func row() {
        let moves = (0..<300).map { Move(id: "i\($0)", from: "/\($0)", to: "/\($0 + 1)") }
        let start = Dictionary(uniqueKeysWithValues: moves.map { ($0.from ?? .root, $0.id) })
        let end = Dictionary(uniqueKeysWithValues: moves.map { ($0.to ?? .root, $0.id) })
        #expect(apply(steps(moves), to: start) == end)
    }

    @Test("a file that moves out of a folder outlives it")
    func rescue() {
        let moves = [
            Move(id: "f", from: "/f", isFolder: true), Move(id: "a", from: "/f/a", to: "/a"),
            Move(id: "g", to: "/f", isFolder: true),
        ]
        #expect(apply(steps(moves), to: ["/f": "f", "/f/a": "a"]) == ["/a": "a", "/f": "g"])
    }

    @Test("a folder and what was renamed in it move one after the other")
    func renamedInside() {
        let moves = [
            Move(id: "b", from: "/f/a", to: "/g/b"), Move(id: "f", from: "/f", to: "/g", isFolder: true),
        ]
        let steps = steps(moves)
        #expect(apply(steps, to: ["/f": "f", "/f/a": "b", "/f/c": "c"]) == ["/g": "f", "/g/b": "b", "/g/c": "c"])
        guard case .updated(let update)? = steps.last else {
            Issue.record("no update")
            return
        }
        #expect(update.previous == "/g/a")
    }

    @Test("a folder that goes into one of its own folders, which leaves it, ends right")
    func insideOut() {
        let moves = [
            Move(id: "a", from: "/a", to: "/b/a", isFolder: true),
            Move(id: "b", from: "/a/b", to: "/b", isFolder: true),
        ]
        #expect(
            apply(steps(moves), to: ["/a": "a", "/a/b": "b", "/a/b/x": "x"]) == ["/b": "b", "/b/a": "a", "/b/x": "x"]
        )
    }

    @Test("of a removed tree the top is told, once")
    func removedTree() {
        let moves = [
            Move(id: "x", from: "/f/g/x"), Move(id: "g", from: "/f/g", isFolder: true),
            Move(id: "f", from: "/f", isFolder: true),
        ]
        #expect(steps(moves) == [.removed("/f", id: "f")])
    }

    @Test("a new folder that took its place after a folder had left stays where it is")
    func newcomer() {
        func arrival(_ id: String, at path: ItemPath, _ places: [KnownItems.Sighting]) -> DeltaPlan.Arrival {
            var item = FileObject(path: path, type: .directory)
            item.id = id
            return DeltaPlan.Arrival(item: item, id: id, places: places)
        }
        let (old, new) = (
            KnownItems.Place(path: "/f", isFolder: true), KnownItems.Place(path: "/g", isFolder: true)
        )
        let arrivals = [
            arrival("f", at: "/g", [.init(place: old, until: 5), .init(place: new, since: 5)]),
            arrival("n", at: "/f", [.init(place: old, since: 6)]),
        ]
        let end = apply(DeltaPlan(arrivals, []).steps, to: ["/f": "f", "/f/a": "a"])
        #expect(end == ["/g": "f", "/g/a": "a", "/f": "n"])
    }

    @Test("another spelling of a name is a move")
    func spelling() {
        let steps = steps([Move(id: "a", from: "/readme", to: "/README")])
        #expect(apply(steps, to: ["/readme": "a"]) == ["/README": "a"])
    }

    @Test("random moves, removals and new items end right", arguments: 0..<200)
    func random(seed: UInt64) {
        var generator = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        var before: [String: (path: ItemPath, isFolder: Bool)] = [:]
        var tree: [String: (parent: String?, name: String, isFolder: Bool)] = [:]
        func path(_ id: String) -> ItemPath? {
            guard let node = tree[id] else { return nil }
            guard let parent = node.parent else { return ItemPath.root.appending(node.name) }
            return path(parent)?.appending(node.name)
        }
        func isInside(_ id: String?, _ folder: String) -> Bool {
            guard let id else { return false }
            return id == folder || isInside(tree[id]?.parent, folder)
        }
        func add(_ id: String) {
            let folders = tree.filter(\.value.isFolder).keys.sorted()
            let parent =
                folders.isEmpty || Bool.random(using: &generator) ? nil : folders.randomElement(using: &generator)
            let name = "n\(Int.random(in: 0..<4, using: &generator))"
            guard !tree.values.contains(where: { $0.parent == parent && $0.name == name }) else { return }
            tree[id] = (parent, name, Int.random(in: 0..<3, using: &generator) > 0)
        }
        for number in 0..<12 { add("old\(number)") }
        for id in tree.keys { before[id] = path(id).map { ($0, tree[id]?.isFolder ?? false) } }
        let old = tree
        for number in 0..<15 {
            let ids = tree.keys.sorted()
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: add("new\(number)")
            case 1:
                guard let id = ids.randomElement(using: &generator) else { continue }
                for other in ids where isInside(other, id) { tree[other]?.name = "gone" }
                let gone = ids.filter { isInside($0, id) }
                for other in gone { tree[other] = nil }
            default:
                guard let id = ids.randomElement(using: &generator), var node = tree[id] else { continue }
                let folders = ids.filter { tree[$0]?.isFolder == true && !isInside($0, id) }
                node.parent = Bool.random(using: &generator) ? nil : folders.randomElement(using: &generator)
                node.name = "n\(Int.random(in: 0..<4, using: &generator))"
                let isTaken = tree.contains {
                    $0.key != id && $0.value.parent == node.parent && $0.value.name == node.name
                }
                if !isTaken { tree[id] = node }
            }
        }
        var moves: [Move] = []
        for id in Set(before.keys).union(tree.keys).sorted() {
            let isSame = old[id].map { node in
                tree[id].map { $0.parent == node.parent && $0.name == node.name } ?? false
            }
            guard isSame != true else { continue }
            let isFolder = tree[id]?.isFolder ?? before[id]?.isFolder ?? false
            moves.append(Move(id: id, from: before[id]?.path, to: path(id), isFolder: isFolder))
        }
        moves.shuffle(using: &generator)
        let steps = steps(moves)
        var copy = apply(steps, to: Dictionary(before.map { ($0.value.path, $0.key) }) { $1 })
        // The contents of folders that came from elsewhere are asked for, as they are among the changes of none.
        for case .updated(let update) in steps where update.formerFolder != nil {
            for id in tree.keys {
                if let place = path(id), place.isBelow(update.item.path) { copy[place] = id }
            }
        }
        let end = Dictionary(tree.keys.compactMap { id in path(id).map { ($0, id) } }) { $1 }
        #expect(copy == end, "\(moves)")
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
