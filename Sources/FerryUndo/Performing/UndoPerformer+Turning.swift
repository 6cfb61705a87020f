import FerryCore
import Foundation

// Taking a step back was broken off: it was done, or it wasn't.

extension UndoPerformer {
    /// Finds out whether a step was taken back by a process that was killed while it did so, by looking where the content
    /// is: in its place, or where it was kept.
    ///
    /// Work that was done is finished, with dates and attributes. What attempts have kept stays: a request that was sent last
    /// may be carried out after the storage was looked at.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - names: The names in ``Note/turning(_:name:)`` of all attempts at it, the latest last.
    ///   - storage: Where.
    /// - Returns: The steps that took it back; `nil` if it still has to be taken back, or if that can't be determined
    ///   before then.
    /// - Throws: An error if the storage can't be examined.
    public func settle(turning step: UndoStep, names: [String], on storage: UndoStorage) async throws -> [UndoStep]? {
        try await storage.learn()
        let item = try await storage.look(step.path)
        switch step {
        case .made(let path, let stamp):
            guard item == nil else { return nil }
            return [.unmade(folder: path, stamp ?? ItemStamp(FileObject(path: path, type: .directory)))]
        case .unmade(let path, _):
            guard let item, item.isDirectory else { return nil }
            return [.made(folder: path, ItemStamp(item))]
        case .moved(let source, let target, let stamp):
            guard item == nil, let back = try await storage.look(source) else { return nil }
            return [.moved(from: target, to: source, ItemStamp(back, tree: stamp?.tree))]
        case .added(let path, let stamp, let again):
            return try await settleTakingAway(path, stamp, again, item, names, on: storage)
        case .removed(let path, let former, let kept?):
            guard let item, try await hasCome(item, former, kept, left: nil, names, on: storage) else { return nil }
            try await storage.restoreAttributes(of: path, former)
            var stamp = try await now(path, storage)
            stamp.tree = former.tree
            return [.added(path, stamp, again: kept.isLasting ? kept : nil)]
        case .replaced(let path, let left, let former, let kept?):
            guard let item else {
                // The former item has made way: the old content was about to come. Of a copy on this machine that is so only
                // where a link comes back; else somebody has removed the item.
                switch (try await keptUnder(names, on: storage), kept) {
                case (.aside, _), (.shadow, .link): break
                default: return nil
                }
                try await storage.bringBack(kept, to: path, former: former, left: left, overwrite: false)
                return try await settled(path, left, former, kept, names, on: storage)
            }
            guard try await hasCome(item, former, kept, left: left, names, on: storage) else { return nil }
            return try await settled(path, left, former, kept, names, on: storage)
        case .changed(let path, let left, from: let old, to: let new):
            guard let item, !left.matches(item) || left.permissions != item.permissions else { return nil }
            let hasDate = old.modifiedDate == nil || old.modifiedDate == item.modifiedDate
            guard hasDate, old.permissions == nil || old.permissions == item.permissions else { return nil }
            return [.changed(path, left: ItemStamp(item), from: new, to: old)]
        case .removed(_, _, nil), .replaced(_, _, _, nil), .lost: return nil
        }
    }

    /// Finishes what has put an old content back.
    private func settled(
        _ path: ItemPath,
        _ left: ItemStamp?,
        _ former: ItemStamp,
        _ kept: KeptItem,
        _ names: [String],
        on storage: UndoStorage
    ) async throws -> [UndoStep] {
        var present = left ?? ItemStamp(FileObject(path: path, type: .file))
        // A storage that keeps them while a file is replaced still has those of the present content.
        if present.extendedAttributes == nil {
            present.extendedAttributes = try await storage.extendedAttributes(path)
        }
        try await storage.restoreAttributes(of: path, former)
        let copy = try await keptNow(names, present, replacedBy: kept, on: storage)
        return [.replaced(path, left: try await now(path, storage), former: present, copy)]
    }

    /// Returns whether what was kept is in its place again.
    ///
    /// - Parameters:
    ///   - item: The item that is there.
    ///   - former: The item that was kept.
    ///   - kept: Where it was kept.
    ///   - left: The item that was in the place before.
    ///   - names: The names of what attempts have kept of that one.
    ///   - storage: Where.
    /// - Returns: `false` also where that can't be told.
    /// - Throws: An error if the storage can't be examined.
    private func hasCome(
        _ item: FileObject,
        _ former: ItemStamp,
        _ kept: KeptItem,
        left: ItemStamp?,
        _ names: [String],
        on storage: UndoStorage
    ) async throws -> Bool {
        let isLeft = left?.matches(item) == true
        switch kept {
        case .aside(let id):
            if try await storage.isAside(id) { return false }
            return try await hasLeft(former, to: item, left, names, on: storage)
        case .shadow(let id):
            if isLeft { return false }
            guard await storage.shadow?.contains(id) == true else {
                return try await hasLeft(former, to: item, left, names, on: storage)
            }
            // It is let go only after it was written.
            guard try await storage.holdsSame(item, as: id) else { return false }
            await storage.discard([kept])
            return true
        case .version, .soughtVersion: return !isLeft && former.resembles(item)
        case .trash(let id):
            guard let trash = storage.base as? any FileProviderTrash else { return false }
            guard storage.base.capabilities.listsTrash else {
                guard let old = former.id, let new = item.id else { return former.resembles(item) }
                return old == new
            }
            return try await !trash.trashedItems().contains { $0.id == id } && former.type == item.type
        case .soughtTrash: return former.resembles(item) && former.type == item.type
        case .link(let text):
            guard item.isSymbolicLink else { return false }
            return try await storage.linkText(item.path) == text
        case .emptyFolder: return item.isDirectory
        case .emptyFile: return !isLeft && item.isRegularFile && item.size == 0
        case .original: return former.resembles(item)
        }
    }

    /// Returns `true` if content that is no longer kept has come back to its place, and `false` if it was discarded.
    private func hasLeft(
        _ former: ItemStamp,
        to item: FileObject,
        _ left: ItemStamp?,
        _ names: [String],
        on storage: UndoStorage
    ) async throws -> Bool {
        guard former.type == item.type else { return false }
        if left?.matches(item) != true, former.isLike(item) { return true }
        // It may have been changed since. If it has replaced another item, that one is kept.
        if left == nil { return true }
        return try await keptUnder(names, on: storage) != nil
    }

    /// Where the content is kept that gave way when an old one came back.
    private func keptNow(
        _ names: [String],
        _ present: ItemStamp,
        replacedBy kept: KeptItem,
        on storage: UndoStorage
    ) async throws -> KeptItem? {
        if let copy = try await keptUnder(names, on: storage) { return copy }
        if present.type == .symlink { return nil }
        if present.size == 0 { return .emptyFile }
        let isWritten = kept.way == .version || kept == .emptyFile
        guard isWritten, storage.abilities.ways.contains(.version) else { return nil }
        return .soughtVersion(SoughtVersion())
    }

    private func settleTakingAway(
        _ path: ItemPath,
        _ stamp: ItemStamp?,
        _ again: KeptItem?,
        _ item: FileObject?,
        _ names: [String],
        on storage: UndoStorage
    ) async throws -> [UndoStep]? {
        if item != nil { return nil }
        let former = stamp ?? ItemStamp(FileObject(path: path, type: .file))
        if let kept = try await keptUnder(names, on: storage) { return [.removed(path, former, kept)] }
        if let trash = storage.base as? any FileProviderTrash, storage.abilities.ways.contains(.trash) {
            let found = try await trash.trashedItems().filter { trashed in
                trashed.originalPath == path && trashed.item.type == former.type
                    && (former.id.flatMap { id in trashed.item.id.map { $0 == id } } ?? former.resembles(trashed.item))
            }
            // Whatever was removed there before is older.
            let latest = found.max { ($0.deletionDate ?? .distantPast) < ($1.deletionDate ?? .distantPast) }
            if let latest { return [.removed(path, former, .trash(latest.id))] }
        }
        return [.removed(path, former, again)]
    }

    /// Lets go of what failed attempts have kept at a step that was taken back since.
    ///
    /// - Parameters:
    ///   - names: The names of the attempts.
    ///   - done: The steps that took it back.
    ///   - storage: Where. What can't be looked at stays, and goes by its age.
    func discardAttempts(_ names: [String], before done: [UndoStep], on storage: UndoStorage) async {
        let needed = done.compactMap(\.kept)
        var copies: [KeptItem] = []
        for name in names {
            guard let kept = try? await keptUnder([name], on: storage), !needed.contains(kept) else { continue }
            copies.append(kept)
        }
        if copies.isEmpty { return }
        // The request of an earlier attempt, if it was carried out that late, has moved the content itself away.
        if case .replaced(let path, _, _, _)? = done.last {
            guard let item = try? await storage.look(path), item.type != .directory else { return }
        }
        await storage.discard(copies)
    }

    /// Returns what is set aside, or copied to this machine, under one of some names: the earliest of them, since what
    /// later attempts have copied may have been replaced before by the request that the first one sent last.
    ///
    /// - Throws: The error that keeps it from being looked at: then nobody knows whether anything is kept.
    func keptUnder(_ names: [String], on storage: UndoStorage) async throws -> KeptItem? {
        for name in names {
            if let id = try await storage.asideID(name) { return .aside(id) }
            guard let tag = UndoStorage.tag(of: name) else { continue }
            if let id = await storage.shadow?.id(tagged: tag) { return .shadow(id) }
        }
        return nil
    }
}

extension UndoStorage {
    /// Returns whether something is still set aside.
    func isAside(_ id: String) async throws -> Bool {
        if let own = base as? any FileProviderSettingAside { return try await own.isSetAside(id) }
        return try await serverAside.isSetAside(id)
    }

    /// Returns where a copy of an item is set aside that was made although no answer said so.
    ///
    /// - Parameters:
    ///   - item: The item as it was.
    ///   - name: The name of the copy. One that was made before the item changed is removed.
    /// - Returns: The item as it was, and where it is kept; `nil` if there is no such copy.
    /// - Throws: An error if the storage can't be examined.
    func keptCopy(_ item: FileObject, name: String) async throws -> (ItemStamp, KeptItem)? {
        guard let id = try await asideID(name) else { return nil }
        let stamp = ItemStamp(item)
        if let now = try await look(item.path), stamp.matches(now) { return (stamp, .aside(id)) }
        await discard([.aside(id)])
        return nil
    }

    /// Returns what leads to what was set aside under a name; `nil` if there is nothing.
    fileprivate func asideID(_ name: String) async throws -> String? {
        guard abilities.ways.contains(.aside) else { return nil }
        guard let own = base as? any FileProviderSettingAside else {
            return try await serverAside.isSetAside(name) ? name : nil
        }
        return try await own.isSetAside(name) ? name : nil
    }

    /// Returns whether a file has the content of a copy on this machine.
    fileprivate func holdsSame(_ item: FileObject, as id: String) async throws -> Bool {
        guard let shadow, let streams = base as? any FileProviderReadWriteProgressive else { return false }
        let (chunks, length) = try await shadow.contents(id)
        guard item.isRegularFile, item.size == nil || item.size == length else { return false }
        let (here, there) = (PartChecksum(), PartChecksum())
        for try await chunk in chunks { here.update(chunk) }
        for try await chunk in try await streams.contentStream(path: item.path) { there.update(chunk) }
        return here.finish() == there.finish()
    }
}
