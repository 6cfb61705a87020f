import FerryCore

extension UndoPerformer {
    /// The places that later steps are about, on one storage.
    struct LaterPlaces {
        let storage: UndoStorage
        private var places: Set<ItemPath> = []
        /// How many of the places are directly in a folder.
        private var members: [ItemPath: Int] = [:]
        /// Those of them where something else was before.
        private var changed: Set<ItemPath> = []

        init(storage: UndoStorage) {
            self.storage = storage
        }

        mutating func add(_ step: UndoStep) {
            for place in step.places where places.insert(place).inserted { members[place.parent, default: 0] += 1 }
            switch step {
            case .added, .made: break
            case .unmade, .moved, .removed, .replaced, .changed, .lost: changed.formUnion(step.places)
            }
        }

        /// Adds what a step has become that was taken back: it does not say what was in its places before.
        mutating func addTurned(_ step: UndoStep) {
            add(step)
            changed.formUnion(step.places)
        }

        /// Returns whether a later step is about the same place, or about something above or in it.
        func touch(_ step: UndoStep) -> Bool {
            step.places.contains { place in
                if places.contains(place) || members[place] != nil { return true }
                return sequence(first: place) { $0.isRoot ? nil : $0.parent }.dropFirst().contains {
                    places.contains($0)
                }
            }
        }

        func contains(_ place: ItemPath) -> Bool { places.contains(place) }

        /// Returns whether later steps have brought something into a folder, and have done nothing else to it or to
        /// what is in it: then all that was there before is still to be seen.
        func onlyBrings(into folder: ItemPath) -> Bool {
            members[folder] != nil && !moves(folder) && !changed.contains { $0.isBelow(folder) }
        }

        /// Returns whether a later step is about an item itself, or something above it: it may be elsewhere now.
        func moves(_ place: ItemPath) -> Bool {
            sequence(first: place) { $0.isRoot ? nil : $0.parent }.contains { places.contains($0) }
        }
    }
}
