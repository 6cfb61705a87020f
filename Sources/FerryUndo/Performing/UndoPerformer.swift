import FerryCore
import Foundation

/// Takes entries back: looks first whether everything is as it was left, then undoes step after step, the last first.
///
/// Taking back is turning round: what was done to undo an entry is an entry itself, and undoing that one redoes the first.
public struct UndoPerformer: Sendable {
    /// An entry, and the storage it happened on.
    public struct Work: Sendable {
        /// The entry that was done.
        public var entry: UndoEntry
        /// The storage that is worked on.
        public let storage: UndoStorage
        /// The names in ``Note/turning(_:name:)`` of earlier attempts to take back the last step, the latest last.
        public var attempts: [String]

        /// Makes a value.
        ///
        /// - Parameters:
        ///   - entry: The entry of the operation that was done.
        ///   - storage: Where.
        ///   - attempts: The names of earlier attempts to take back its last step.
        public init(_ entry: UndoEntry, on storage: UndoStorage, attempts: [String] = []) {
            self.entry = entry
            self.storage = storage
            self.attempts = attempts
        }
    }

    /// The outcome of the work: how far it came.
    public struct Outcome: Sendable {
        /// The works that were turned round, in the order in which they were turned: taking these back redoes.
        public var done: [Work] = []
        /// The works still to be taken back, in their order.
        public var left: [Work] = []
        /// The items that came back as others, in that order: see ``UndoStep/renewed(_:)``.
        public var renewals: [UndoRenewal] = []
        /// The error that ended it early.
        public var failure: (any Error)?
    }

    /// Makes one.
    public init() {}

    // MARK: - All of them

    /// Takes all back.
    ///
    /// - Parameters:
    ///   - works: Entries, in the order in which they were done.
    ///   - earlier: The works that an earlier attempt to take back the same has done before it was broken off: in these
    ///     places there may be another item than the one that was noted, with the same content.
    ///   - note: Called for each entry that is about to be taken back, and with the result.
    /// - Returns: How far it came.
    /// - Throws: ``UndoRefusal`` and others when something is not as it was left; then nothing was changed.
    public func undo(
        _ works: [Work],
        after earlier: [Work] = [],
        noting note: @Sendable (Note) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        let trashes = SeenTrashes()
        // In these places there may be another item than the one that was noted, with the same content.
        var touched = Self.places(of: earlier)
        let settled = try await check(works, touched, trashes)
        var outcome = Outcome(left: settled)
        while let work = outcome.left.last {
            var entry = work.entry
            var attempts = work.attempts
            var turned = UndoEntry(operation: entry.operation, steps: [])
            do {
                try await note(.begins(entry))
                while let step = entry.steps.last?.renewed(outcome.renewals) {
                    let index = Self.index(of: work.storage, in: &touched)
                    let isLoose = touched[index].touch(step)
                    let done = try await turnRepeating(step, on: work.storage, attempts, loosely: isLoose, trashes) {
                        try await note(.turning(entry, name: $0))
                    }
                    attempts = []
                    touched[index].add(step)
                    let renewals = step.renewals(turnedInto: done)
                    outcome.renewals += renewals
                    turned.steps += done
                    entry.steps.removeLast()
                    try await note(.turned(entry, into: turned, did: done, renewals: renewals))
                }
                try await note(.ended(entry, into: turned))
                outcome.left.removeLast()
                if !turned.steps.isEmpty { outcome.done.append(Work(turned, on: work.storage)) }
            } catch {
                outcome.left[outcome.left.count - 1].entry = entry
                if !turned.steps.isEmpty { outcome.done.append(Work(turned, on: work.storage)) }
                outcome.failure = error
                return outcome
            }
        }
        return outcome
    }

    /// An event of an entry that is taken back.
    public enum Note: Sendable {
        /// It is about to be taken back.
        case begins(UndoEntry)
        /// Its last step is about to be taken back, at each attempt. What that keeps gets this name, a UUID, by which
        /// ``settle(turning:names:on:)`` finds it if the process is killed.
        case turning(UndoEntry, name: String)
        /// One more step was taken back: what is left of the entry, what came to be of all of it, what this step did,
        /// and what came back as another item.
        case turned(UndoEntry, into: UndoEntry, did: [UndoStep], renewals: [UndoRenewal])
        /// All of it was.
        case ended(UndoEntry, into: UndoEntry)
    }

    /// Looks whether everything is as it was left, and changes nothing.
    ///
    /// - Parameters:
    ///   - works: Entries, in the order in which they were done.
    ///   - earlier: The works that an earlier attempt to take back the same has done before it was broken off.
    /// - Returns: The works, where what nobody has seen the end of is now known.
    /// - Throws: ``UndoRefusal``, and what keeps us from looking.
    public func check(_ works: [Work], after earlier: [Work] = []) async throws -> [Work] {
        try await check(works, Self.places(of: earlier), SeenTrashes())
    }

    // `later`: what later steps are about is as they left it, and is looked at when these are taken back.
    private func check(_ works: [Work], _ later: [LaterPlaces], _ trashes: SeenTrashes) async throws -> [Work] {
        var settled: [Work] = []
        var later = later
        for work in works.reversed() {
            let index = Self.index(of: work.storage, in: &later)
            var entry = work.entry
            if !entry.isComplete {
                let intended = entry.steps
                entry.steps = try await work.storage.retries.reading { try await settle(intended, on: work.storage) }
                entry.isComplete = true
            }
            for step in entry.steps.reversed() {
                try await work.storage.retries.reading { try await check(step, before: later[index], trashes) }
                later[index].add(step)
            }
            settled.append(Work(entry, on: work.storage, attempts: work.attempts))
        }
        return settled.reversed()
    }

    // `later`: the places that later steps are about.
    private func check(_ step: UndoStep, before later: LaterPlaces, _ trashes: SeenTrashes) async throws {
        let storage = later.storage
        if case .made(let path, let stamp) = step, !later.moves(path) {
            try await requireUnchanged(path, stamp, on: storage)
            try await requireEmpty(path, on: storage, but: later)
        } else if case .added(let path, let stamp?, again: _) = step, let tree = stamp.tree,
            later.onlyBrings(into: path)
        {
            try await requireUnchanged(path, stamp.withoutTree, on: storage)
            let now = try await TreeStamp.below(path, on: storage.base, but: later.contains)
            guard now == tree else { throw UndoRefusal(path, .changed) }
        } else if !later.touch(step) {
            try await check(step, on: storage, trashes)
        }
    }

    private static func places(of works: [Work]) -> [LaterPlaces] {
        var places: [LaterPlaces] = []
        for work in works {
            let index = index(of: work.storage, in: &places)
            for step in work.entry.steps { places[index].addTurned(step) }
        }
        return places
    }

    private static func index(of storage: UndoStorage, in places: inout [LaterPlaces]) -> Int {
        if let index = places.firstIndex(where: { $0.storage.base == storage.base }) { return index }
        places.append(LaterPlaces(storage: storage))
        return places.count - 1
    }

    // MARK: - One step

    // `loosely`: whether kind, size and date are enough, since what is there was brought back just now.
    private func check(
        _ step: UndoStep,
        on storage: UndoStorage,
        loosely: Bool = false,
        _ trashes: SeenTrashes
    ) async throws {
        switch step {
        case .made(let path, let stamp):
            try await requireUnchanged(path, stamp, on: storage, loosely)
            try await requireEmpty(path, on: storage)
        case .unmade(let path, _): try await requireFree(path, on: storage)
        case .moved(let source, let target, let stamp):
            try await requireUnchanged(target, stamp, on: storage, loosely)
            try await requireFree(source, on: storage, exceptFor: target)
        case .added(let path, let stamp, again: _):
            try await requireUnchanged(path, stamp, on: storage, loosely)
        case .removed(let path, let former, let kept):
            try await requireFree(path, on: storage)
            try await storage.requireKept(kept, of: path, former: former, trashes)
        case .replaced(let path, let left, let former, let kept):
            try await requireUnchanged(path, left, on: storage, loosely)
            try await storage.requireKept(kept, of: path, former: former, left: left, trashes)
        case .changed(let path, let left, from: _, to: _):
            try await requireUnchanged(path, left, on: storage, loosely)
        case .lost(let path, let why): throw UndoRefusal(path, .notKept, underlying: why)
        }
    }

    func requireUnchanged(
        _ path: ItemPath,
        _ stamp: ItemStamp?,
        on storage: UndoStorage,
        _ loosely: Bool = false
    ) async throws {
        guard let item = try await storage.look(path) else { throw UndoRefusal(path, .gone) }
        guard let stamp else { return }
        let isSame =
            loosely
            ? stamp.type == item.type && (item.isDirectory || stamp.resembles(item))
            : try await storage.isUnchanged(item, since: stamp)
        guard isSame else { throw UndoRefusal(path, .changed) }
        if let tree = stamp.tree, try await TreeStamp.below(path, on: storage.base) != tree {
            throw UndoRefusal(path, .changed)
        }
    }

    // `later`: steps that will be taken back before; what they put there doesn't count.
    private func requireEmpty(
        _ path: ItemPath,
        on storage: UndoStorage,
        but later: LaterPlaces? = nil
    ) async throws {
        for try await page in storage.base.directoryListing(path: path) {
            for item in page where later?.contains(item.path) != true { throw UndoRefusal(path, .notEmpty) }
        }
    }

    private func requireFree(
        _ path: ItemPath,
        on storage: UndoStorage,
        exceptFor other: ItemPath? = nil
    ) async throws {
        guard let item = try await storage.look(path) else { return }
        // On a storage that ignores case, both names of a rename lead to the same item.
        if let other, let same = try await storage.look(other), same.id != nil, same.id == item.id { return }
        if let other, path.mayBeSame(as: other),
            let names = storage.base as? any FileProviderNameFolding,
            try await names.isSameItem(path, other)
        {
            return
        }
        throw UndoRefusal(path, .occupied)
    }

    /// Turns a step round, again where the storage refuses it for the moment; a step that was done all the same is not done
    /// twice.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - storage: Where.
    ///   - earlier: The names of earlier attempts at it.
    ///   - loosely: `true` if kind, size and date are enough to know the item again.
    ///   - trashes: The trashes that were listed.
    ///   - note: Called before each attempt, with its name.
    /// - Returns: The steps that were done.
    /// - Throws: Any error of the last attempt, and of the note.
    private func turnRepeating(
        _ step: UndoStep,
        on storage: UndoStorage,
        _ earlier: [String],
        loosely: Bool,
        _ trashes: SeenTrashes,
        noting note: (_ name: String) async throws -> Void
    ) async throws -> [UndoStep] {
        var names = earlier
        do {
            return try await storage.retries.run { attempt in
                if attempt > 1, let done = try await settle(turning: step, names: names, on: storage) { return done }
                let (name, former) = (ServerAside.name(now: Date()), names)
                try await note(name)
                names.append(name)
                let done = try await turn(step, on: storage, name, after: former, loosely: loosely, trashes)
                await discardAttempts(former, before: done, on: storage)
                return done
            }
        } catch let unfinished as UndoRemoval.Unfinished {
            throw unfinished.error
        }
    }

    /// Turns a step round.
    ///
    /// - Returns: The steps that were done.
    private func turn(
        _ step: UndoStep,
        on storage: UndoStorage,
        _ name: String,
        after attempts: [String],
        loosely: Bool,
        _ trashes: SeenTrashes
    ) async throws -> [UndoStep] {
        // Looked at again, since taking back other steps may have come between; and somebody else.
        try await check(step, on: storage, loosely: loosely, trashes)
        switch step {
        case .made(let path, let stamp):
            let item = try await storage.base.attributesOfItem(path: path)
            try await storage.base.removeItem(path: path)
            return [.unmade(folder: path, stamp ?? ItemStamp(item))]
        case .unmade(let path, let stamp):
            try await storage.bringBack(.emptyFolder, to: path, former: stamp, overwrite: false)
            return [.made(folder: path, try await now(path, storage))]
        case .moved(let source, let target, let stamp):
            try await storage.base.moveItem(path: target, to: source)
            let now = try await storage.base.attributesOfItem(path: source)
            return [.moved(from: target, to: source, ItemStamp(now, tree: stamp?.tree))]
        case .added(let path, _, let again): return try await takeAway(path, again: again, on: storage, name)
        case .removed(let path, let former, let kept?):
            try await storage.bringBack(kept, to: path, former: former, overwrite: false, trashes)
            var stamp = try await now(path, storage)
            stamp.tree = former.tree
            return [.added(path, stamp, again: kept.isLasting ? kept : nil)]
        case .replaced(let path, let left, let former, let kept?):
            return try await swap(path, former, kept, left, on: storage, name, after: attempts, loosely: loosely)
        case .changed(let path, left: _, let old, let new):
            try await (storage.base as? any FileProviderItemAttributes)?.setAttributes(old, path: path)
            return [.changed(path, left: try await now(path, storage), from: new, to: old)]
        case .removed(let path, _, nil), .replaced(let path, _, _, nil), .lost(let path, _):
            throw UndoRefusal(path, .notKept)
        }
    }

    func now(_ path: ItemPath, _ storage: UndoStorage) async throws -> ItemStamp {
        ItemStamp(try await storage.base.attributesOfItem(path: path))
    }

    /// Takes what came away again, to where redoing finds it.
    private func takeAway(
        _ path: ItemPath,
        again: KeptItem?,
        on storage: UndoStorage,
        _ name: String
    ) async throws -> [UndoStep] {
        try await storage.learn()
        let item = try await storage.base.attributesOfItem(path: path)
        let stamp = try await storage.stamp(item)
        if case .link = again {
            try await storage.base.removeItem(path: path)
            return [.removed(path, stamp, again)]
        }
        let operation = FileOperationType.remove(path: path)
        let plan = UndoPlan(operation, onto: item.isDirectory ? .folder : .file, abilities: storage.abilities)
        do {
            let steps = try await UndoRemoval(storage: storage, ways: plan.ways, name: name).remove(item, stamp)
            // While the folder that a file was in is missing, a listing of the trash counts the file with it and doesn't
            // name it: so the version is noted, and not the trash.
            guard steps.first?.kept?.way == .trash, let version = storage.lastVersion(of: stamp) else { return steps }
            return [.removed(path, stamp, .version(version))]
        } catch let error as CancellationError {
            throw error
        } catch let unfinished as UndoRemoval.Unfinished {
            // It was kept; removing it is what failed.
            throw unfinished
        } catch {
            // A copy whose original is there can be made again; of anything else this is the only one, which stays, as it
            // does where that can't be told.
            guard let again, (try? await storage.requireKept(again, of: path, former: stamp)) != nil else {
                throw error
            }
            try await storage.base.removeItem(path: path)
            return [.removed(path, stamp, again)]
        }
    }
}

extension KeptItem {
    /// Indicates whether it can be used again and again.
    var isLasting: Bool {
        switch self {
        case .link, .original: true
        case .version, .soughtVersion, .trash, .soughtTrash, .aside, .shadow, .emptyFolder, .emptyFile: false
        }
    }
}
