import FerryCore
import Foundation
import Synchronization

/// The places at which items were seen, by their identifiers.
///
/// A list of changes names items by their identifiers, and tells neither where an item was before nor that the items in
/// a moved folder have moved: that is known of what this process has seen only.
final class KnownItems: Sendable {
    /// A place at which an item was seen.
    struct Place: Sendable, Hashable {
        /// The path, each name as the service spells it.
        let path: ItemPath

        /// A Boolean value that indicates whether the item is a folder.
        let isFolder: Bool
    }

    /// A place, and the time during which an item was seen there.
    struct Sighting: Sendable, Hashable {
        /// The place.
        let place: Place

        /// The number of the moment at which it was seen there first.
        var since = 0

        /// The number of the moment at which it was seen elsewhere; `Int.max` if it was not.
        ///
        /// It is moved before the moment of a list of changes that told so.
        var until = Int.max

        /// The number of the moment at which this process has learned that, by a listing or a list of changes.
        var end = Int.max

        /// The numbers of the moments whose owners have been told of the end: they know no item there.
        var toldMoments: Set<Int> = []

        /// The path of the place.
        var path: ItemPath { place.path }
    }

    /// A moment in this memory's life, to which anchors are bound.
    struct Moment: Sendable, Hashable {
        /// The memory that it is of: another process has another one.
        let memory: String

        /// Its number.
        let version: Int
    }

    fileprivate struct State {
        var places: [String: Sighting] = [:]
        var past: [String: [Sighting]] = [:]
        var memory = UUID().uuidString
        var version = 0
        /// The number of places in `past`.
        var pastCount = 0
        var isTracked = false
    }

    /// Items at most while nobody asks for changes.
    private static let mostUntracked = 20_000

    /// Places that items have left, at most.
    private static let mostPast = 20_000

    private let most: Int
    private let state = Mutex(State())

    /// Makes an empty memory.
    ///
    /// - Parameter most: Items at most: then all are forgotten, and anchors from before have expired.
    init(most: Int = 200_000) {
        self.most = most
    }

    // MARK: Noting

    /// Notes where an item is.
    ///
    /// - Parameter file: The item.
    func note(_ file: FileObject) {
        note(CollectionOfOne(file))
    }

    /// Notes where items are.
    ///
    /// - Parameter files: The items; those without an identifier, or a path by names, are passed over.
    func note(_ files: some Collection<FileObject>) {
        let seen = files.compactMap { file -> (id: String, place: Place)? in
            let path = file.path
            guard let id = file.id, !path.beginsWithIdentifier, !path.isRoot else { return nil }
            return (id, Place(path: path, isFolder: file.isDirectory))
        }
        state.withLock { state in
            let limit = state.isTracked ? most : min(most, Self.mostUntracked)
            if state.places.count + seen.count > limit { state.forgetAll() }
            state.version += 1
            for (id, place) in seen { state.put(place, at: id, state.version) }
            if state.pastCount > Self.mostPast { state.forgetPast() }
        }
    }

    /// Notes changes that somebody is told who has asked for those since an earlier moment.
    ///
    /// - Parameters:
    ///   - gone: The identifiers of items that are gone; what was in a folder is gone with it.
    ///   - folders: The paths of folders that are gone and were never seen themselves.
    ///   - files: The items that are there.
    ///   - moment: The moment from which that one asks next.
    func note(gone: [String], below folders: [ItemPath], there files: [FileObject], before moment: Moment) {
        state.withLock { state in
            state.version += 1
            var folders = folders
            for id in gone {
                if let place = state.places[id]?.place, place.isFolder { folders.append(place.path) }
                state.report(nil, at: id, before: moment)
            }
            if !folders.isEmpty {
                let paths = Set(folders)
                for (id, place) in state.places where place.path.ancestors.contains(where: paths.contains) {
                    state.report(nil, at: id, before: moment)
                }
            }
            for file in files {
                let path = file.path
                guard let id = file.id, !path.beginsWithIdentifier else { continue }
                state.report(Place(path: path, isFolder: file.isDirectory), at: id, before: moment)
            }
            if state.pastCount > Self.mostPast { state.forgetPast() }
        }
    }

    // MARK: Asking

    /// Begins a new moment; from now on, more is remembered, since changes will be asked for.
    ///
    /// - Returns: The moment.
    func mark() -> Moment {
        state.withLock { state in
            state.isTracked = true
            state.version += 1
            return Moment(memory: state.memory, version: state.version)
        }
    }

    /// Returns whether everything is known that was seen since a moment.
    ///
    /// - Parameter moment: The moment.
    /// - Returns: `false` for a moment of another process, or one after which something was forgotten.
    func remembers(_ moment: Moment) -> Bool {
        state.withLock { $0.memory == moment.memory }
    }

    /// Returns what is known, as it is now.
    func view() -> View {
        state.withLock { state in
            View(places: state.places, past: state.past)
        }
    }

    /// The places of items at one time.
    struct View: Sendable {
        fileprivate let places: [String: Sighting]
        fileprivate let past: [String: [Sighting]]

        /// Returns where an item was seen since a version, the earliest place first, without the places that it has left
        /// as the one who asks since then was told.
        ///
        /// - Parameters:
        ///   - id: The identifier.
        ///   - version: The version.
        /// - Returns: The places; none if it was never seen.
        func places(of id: String, since version: Int) -> [Sighting] {
            let former = (past[id] ?? []).filter { $0.end >= version && !$0.toldMoments.contains(version) }
            return former + (places[id].map { [$0] } ?? [])
        }

        /// The folders above items that were seen, which were not seen themselves.
        var unseenFolders: Set<ItemPath> {
            let seen = Set(places.values.lazy.filter(\.place.isFolder).map(\.path))
            var unseen: Set<ItemPath> = []
            for place in places.values {
                var folder = place.path.parent
                while !folder.isRoot, !seen.contains(folder), unseen.insert(folder).inserted { folder = folder.parent }
            }
            return unseen
        }

        /// Returns those of some paths at which other items were seen last.
        ///
        /// - Parameters:
        ///   - candidates: The paths.
        ///   - ids: The identifiers of items that don't count.
        /// - Returns: The paths at which there is something.
        func paths(among candidates: Set<ItemPath>, besides ids: Set<String>) -> Set<ItemPath> {
            Set(places.lazy.filter { candidates.contains($0.value.path) && !ids.contains($0.key) }.map(\.value.path))
        }
    }
}

extension KnownItems.State {
    /// Changes where an item is.
    ///
    /// - Parameters:
    ///   - place: The place; `nil` for none.
    ///   - id: The item.
    ///   - version: The number of the moment.
    fileprivate mutating func put(_ place: KnownItems.Place?, at id: String, _ version: Int) {
        let old = places[id]
        guard old?.place != place else { return }
        if var old, isTracked {
            old.until = version
            old.end = self.version
            past[id, default: []].append(old)
            pastCount += 1
        }
        places[id] = place.map { KnownItems.Sighting(place: $0, since: version) }
    }

    /// Changes where an item is, of which somebody is told.
    ///
    /// Contents of folders were listed for that, and were seen after the version then: to the one who is told, and asks
    /// for later changes next, they have been at their places since before.
    ///
    /// Somebody else who asks for changes since a later moment may have seen the item there, and is told, too.
    ///
    /// - Parameters:
    ///   - place: The place; `nil` for none.
    ///   - id: The item.
    ///   - moment: The moment from which that one asks next.
    fileprivate mutating func report(_ place: KnownItems.Place?, at id: String, before moment: KnownItems.Moment) {
        let before = moment.version - 1
        put(place, at: id, before)
        if let since = places[id]?.since { places[id]?.since = min(since, before) }
        guard let sightings = past[id] else { return }
        past[id] = sightings.map { sighting in
            var sighting = sighting
            sighting.since = min(sighting.since, before)
            sighting.until = min(sighting.until, before)
            if sighting.end >= moment.version { sighting.toldMoments.insert(moment.version) }
            return sighting
        }
    }

    /// Forgets where items have been: anchors from before are those of strangers then.
    fileprivate mutating func forgetPast() {
        past = [:]
        pastCount = 0
        memory = UUID().uuidString
    }

    /// Forgets everything.
    fileprivate mutating func forgetAll() {
        places = [:]
        forgetPast()
    }
}

extension ItemPath {
    /// The folders above, the nearest first, without the root.
    fileprivate var ancestors: some Sequence<ItemPath> {
        sequence(first: parent) { $0.isRoot ? nil : $0.parent }.lazy.filter { !$0.isRoot }
    }
}
