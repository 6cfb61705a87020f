import FerryCore
import Foundation

// An operation that was killed: how far did it go?

extension UndoPerformer {
    /// Finds out what of the intended steps was done.
    ///
    /// - Parameters:
    ///   - steps: The steps that were about to be done.
    ///   - storage: Where.
    /// - Returns: The steps that were done.
    /// - Throws: ``UndoRefusal`` where that can't be told; what keeps us from looking.
    func settle(_ steps: [UndoStep], on storage: UndoStorage) async throws -> [UndoStep] {
        var done: [UndoStep] = []
        for step in steps { done += try await settle(step, on: storage) }
        return done
    }

    private func settle(_ step: UndoStep, on storage: UndoStorage) async throws -> [UndoStep] {
        let item = try await storage.look(step.path)
        switch step {
        case .made(let path, _):
            return item.map { [.made(folder: path, ItemStamp($0))] } ?? []
        case .unmade: return item == nil ? [step] : []
        case .added(let path, let expected, let again):
            // Where it was not looked beforehand, only what was to be written there is taken for it.
            guard let item, expected?.resembles(item) ?? true else { return [] }
            return [.added(path, try await storage.stamp(item), again: again)]
        case .moved(let source, let target, let stamp):
            return try await settleMove(source, target, stamp, on: storage)
        case .removed(let path, let former, let kept):
            // Whatever has come to the place since is not what was to be removed.
            if let item, former.matches(item) { return [] }
            guard let kept = try await find(kept, former, path, on: storage) else { return item == nil ? [step] : [] }
            return [.removed(path, former, kept)]
        case .replaced(let path, _, let former, let kept):
            if let item, former.matches(item) { return [] }
            guard let item else { return kept.map { [.removed(path, former, $0)] } ?? [step] }
            if let kept { return [.replaced(path, left: ItemStamp(item), former: former, kept)] }
            return [.replaced(path, left: ItemStamp(item), former: former, nil)]
        case .changed(let path, left: _, let old, let new):
            guard let item else { return [] }
            return [.changed(path, left: ItemStamp(item), from: old, to: new)]
        case .lost: return [step]
        }
    }

    /// Finds what was taken away, where nobody came to note where.
    private func find(
        _ kept: KeptItem?,
        _ former: ItemStamp,
        _ path: ItemPath,
        on storage: UndoStorage
    ) async throws -> KeptItem? {
        do {
            try await storage.requireKept(kept, of: path, former: former)
            return kept
        } catch is UndoRefusal {
            // It isn't there; whatever else keeps us from looking proves nothing.
        }
        if let trash = storage.base as? any FileProviderTrash, storage.abilities.ways.contains(.trash) {
            let found = try await trash.trashedItems().first { trashed in
                trashed.originalPath == path && trashed.item.type == former.type
                    && (former.id.flatMap { id in trashed.item.id.map { $0 == id } } ?? former.resembles(trashed.item))
            }
            if let found { return .trash(found.id) }
        }
        return nil
    }

    /// A move to another file system copies first and then removes: both may be there, in part.
    private func settleMove(
        _ source: ItemPath,
        _ target: ItemPath,
        _ stamp: ItemStamp?,
        on storage: UndoStorage
    ) async throws -> [UndoStep] {
        let (old, new) = (try await storage.look(source), try await storage.look(target))
        guard let new else { return [] }
        guard let old else {
            return [.moved(from: source, to: target, ItemStamp(new))]
        }
        guard old.isDirectory, new.isDirectory else {
            // The copy is complete, or something else is there; the original is where it was, so nothing need go back.
            guard let stamp, stamp.matches(old), stamp.resembles(new) else { return [] }
            return [.added(target, ItemStamp(new), again: .original(source, ItemStamp(old)))]
        }
        var steps: [UndoStep] = []
        var staysWhole = true
        for item in try await storage.base.contentsOfDirectory(path: target) {
            let name = item.path.lastName
            let below = try await settleMove(source.appending(name), item.path, nil, original: item, on: storage)
            steps += below
            if below.isEmpty || !below.contains(where: { $0.path == item.path }) { staysWhole = false }
        }
        // A folder in which something stays is not removed either.
        return staysWhole ? [.made(folder: target, ItemStamp(new))] + steps : steps
    }

    private func settleMove(
        _ source: ItemPath,
        _ target: ItemPath,
        _ stamp: ItemStamp?,
        original: FileObject,
        on storage: UndoStorage
    ) async throws -> [UndoStep] {
        let old = try await storage.look(source)
        guard let old, !old.isDirectory else {
            return try await settleMove(source, target, stamp, on: storage)
        }
        // Where both are, and are not the same, both stay.
        guard ItemStamp(old).resembles(original) else { return [] }
        return [.added(target, ItemStamp(original), again: .original(source, ItemStamp(old)))]
    }
}
