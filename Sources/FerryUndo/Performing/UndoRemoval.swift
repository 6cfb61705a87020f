import FerryCore
import Foundation

/// Removes an item so that it can come back.
struct UndoRemoval: Sendable {
    let storage: UndoStorage
    let ways: [UndoWay]

    /// The name that it would have where it is set aside.
    var name = ServerAside.name(now: Date())

    /// Removes.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - stamp: The state of the item; of a folder with all below it.
    /// - Returns: The steps that were done.
    /// - Throws: Why it can't be kept; then it is where it was. ``Unfinished`` if it may be gone in part.
    func remove(_ item: FileObject, _ stamp: ItemStamp) async throws -> [UndoStep] {
        if let kept = try await storage.takeAway(item, ways: ways, name: name) {
            return [.removed(item.path, stamp, kept)]
        }
        return try await removeCopied(item, stamp)
    }

    /// Finds out whether an item was removed although no answer said so.
    ///
    /// - Parameters:
    ///   - stamp: The state of the item.
    ///   - path: The item.
    ///   - kept: Where it is kept if it is gone, and the storage does not show it there yet.
    /// - Returns: The steps that were done; `nil` if it is where it was.
    /// - Throws: An error if the storage can't be examined.
    func settle(_ stamp: ItemStamp, _ path: ItemPath, _ kept: KeptItem?) async throws -> [UndoStep]? {
        // Taking a new item away again is the same work.
        try await UndoPerformer().settle(turning: .added(path, stamp, again: kept), names: [name], on: storage)
    }

    /// The end of a removal that failed after everything had been copied to this machine: a part may be gone.
    struct Unfinished: Error {
        /// The steps that were done; if that is not known, those that may have been.
        let steps: [UndoStep]

        /// `false` if the storage could not be examined afterwards.
        let isKnown: Bool

        /// The error that ended it.
        let error: any Error
    }

    /// Copies it to this machine, with all below it, and only then removes it.
    private func removeCopied(_ item: FileObject, _ stamp: ItemStamp) async throws -> [UndoStep] {
        var steps: [UndoStep] = []
        do {
            try await copy(item, named: name, to: &steps)
            for step in steps {
                // One may have made room for the other.
                guard case .removed(let path, _, .shadow(let id)?) = step, let shadow = storage.shadow else { continue }
                if await !shadow.contains(id) { throw UndoRefusal(path, .notKept, underlying: "too large to be kept") }
            }
            guard let now = try await storage.look(item.path) else { throw CocoaError.noSuchItem(item.path) }
            let after = try await storage.stamp(now)
            guard stamp.matches(now), after.tree == stamp.tree else { throw UndoRefusal(item.path, .changed) }
        } catch {
            await storage.discard(steps.compactMap(\.kept))
            throw error
        }
        steps.reverse()
        do {
            try await removeRepeating(item, copied: steps)
        } catch {
            throw await unfinished(steps, error)
        }
        return steps
    }

    /// Removes what was copied, again where the storage refuses it for the moment: what is gone by then has its copies.
    private func removeRepeating(_ item: FileObject, copied steps: [UndoStep]) async throws {
        try await storage.retries.run { attempt in
            if attempt > 1 {
                guard let rest = try await storage.look(item.path) else { return }
                try await requireCopied(rest, steps)
            }
            try await storage.base.removeItem(path: item.path)
        }
    }

    /// Makes sure that everything that is left of an item was copied: others may have added or changed something since.
    private func requireCopied(_ item: FileObject, _ steps: [UndoStep]) async throws {
        var copied: [ItemPath: ItemStamp] = [:]
        for step in steps {
            switch step {
            case .unmade(let path, let stamp), .removed(let path, let stamp, _): copied[path] = stamp
            case .made, .added, .moved, .replaced, .changed, .lost: continue
            }
        }
        var rest = [item]
        if item.isDirectory {
            for try await element in TreeWalk(storage.base, path: item.path) {
                switch element {
                case .page(let items, folder: _): rest += items
                case .failure(let error, folder: _): throw error
                }
            }
        }
        for item in rest where copied[item.path]?.matches(item) != true { throw UndoRefusal(item.path, .changed) }
    }

    /// Finds out how far a removal came, and discards the copies of what is still there.
    private func unfinished(_ steps: [UndoStep], _ failure: any Error) async -> Unfinished {
        // A file that is still there may go at any moment: undoing finds it out. The copies of a folder would be too much.
        if failure.mayStillBeDone, steps.count == 1 { return Unfinished(steps: steps, isKnown: false, error: failure) }
        do {
            let done = try await uncancelled { [storage] in try await UndoPerformer().settle(steps, on: storage) }
            let gone = Set(done.map(\.path))
            await storage.discard(steps.filter { !gone.contains($0.path) }.compactMap(\.kept))
            return Unfinished(steps: done, isKnown: true, error: failure)
        } catch {
            // Undoing finds it out.
            return Unfinished(steps: steps, isKnown: false, error: failure)
        }
    }

    /// Notes an item, folders before what is in them: the other way round is how they go.
    private func copy(_ item: FileObject, named name: String?, to steps: inout [UndoStep]) async throws {
        switch item.type {
        case .directory:
            steps.append(.unmade(folder: item.path, ItemStamp(item)))
            for below in try await storage.base.contentsOfDirectory(path: item.path) {
                try await copy(below, named: nil, to: &steps)
            }
        case .symlink:
            steps.append(.removed(item.path, ItemStamp(item), .link(try await storage.linkText(item.path))))
        case .file:
            var stamp = ItemStamp(item)
            stamp.extendedAttributes = try await storage.extendedAttributes(item.path)
            steps.append(.removed(item.path, stamp, .shadow(try await storage.copyToShadow(item, name: name))))
        case .other: throw UndoRefusal(item.path, .notKept)
        }
    }
}
