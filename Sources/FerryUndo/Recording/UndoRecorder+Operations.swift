import FerryCore
import Foundation

// The operations that are more than one file that comes.

extension UndoRecorder {
    /// Makes folders.
    func createFolder(
        _ path: ItemPath,
        creatingParents: Bool,
        _ body: () async throws -> Void
    ) async throws {
        var missing = [path]
        if creatingParents {
            missing = []
            var folder = path
            while !folder.isRoot, try await storage.look(folder) == nil {
                missing.append(folder)
                folder = folder.parent
            }
            if missing.isEmpty { return try await body() }
        }
        let folders = Array(missing.reversed())
        try await record(
            .create(path: path),
            intended: folders.map { .made(folder: $0, nil) },
            body,
            finish: { [storage] (result: Void?) in
                if result == nil, !creatingParents { return [] }
                var steps: [UndoStep] = []
                for folder in folders {
                    if let item = try await storage.look(folder) {
                        steps.append(.made(folder: folder, ItemStamp(item)))
                    }
                }
                return steps
            }
        )
    }

    /// Removes an item, with all below it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - body: Removes it for good.
    /// - Throws: Why it can't be kept, or removed.
    func remove(_ path: ItemPath, _ body: () async throws -> Void) async throws {
        let operation = FileOperationType.remove(path: path)
        guard !path.isRoot, !storage.abilities.isReadOnly else { return try await body() }
        let seen = storage.isFar ? OperationContext.current.seenItems?.items[path] : nil
        let there = if let seen { seen } else { try await storage.look(path) }
        guard let item = there else { return try await body() }
        try await storage.learn()
        if item.isSymbolicLink {
            let kept = KeptItem.link(try await storage.linkText(path))
            return try await removeForGood([.removed(path, ItemStamp(item), kept)], operation, body)
        }
        if item.type == .other {
            return try await removeForGood([.lost(path, "it is neither file nor folder")], operation, body)
        }
        let plan = UndoPlan(operation, onto: item.isDirectory ? .folder : .file, abilities: storage.abilities)
        guard plan.isPossible else {
            return try await removeForGood([.lost(path, "this storage keeps nothing")], operation, body)
        }
        let trashes = plan.ways.first == .trash && storage.trashesRemovedItems
        // Only what is copied to this machine and then removed must be known in detail beforehand, and what takes our room.
        let measures = plan.ways.first == .shadow || (policy.measuresFolders && item.isDirectory && !trashes)
        let stamp = measures ? try await measured(item) : ItemStamp(item)
        if !trashes, let reason = policy.judge?(path, stamp.size ?? stamp.tree?.bytes ?? 0) {
            return try await removeForGood([.lost(path, reason)], operation, body)
        }
        let removal = UndoRemoval(storage: storage, ways: plan.ways)
        let start = Date()
        let kept: KeptItem? =
            trashes
            ? .soughtTrash(DateInterval(start: start, duration: 86_400))
            : plan.ways.contains(.aside) ? .aside(removal.name) : nil
        var entry = UndoEntry(operation: operation, steps: [.removed(path, stamp, kept)], isComplete: false)
        try await journal?.begins(entry)
        var first: (any Error)?
        do {
            entry.steps = try await storage.retries.run { attempt in
                let kept = trashes ? .soughtTrash(DateInterval(start: start, end: max(start, Date()))) : kept
                if attempt > 1, let steps = try await removal.settle(stamp, path, kept) {
                    // It is gone, and nobody knows where it is kept: that is no success.
                    if let first, !steps.allSatisfy(\.isReversible) { throw first }
                    return steps
                }
                do {
                    return try await removal.remove(item, stamp)
                } catch {
                    first = first ?? error
                    throw error
                }
            }
        } catch let unfinished as UndoRemoval.Unfinished {
            entry.steps = unfinished.steps
            await end(entry, isKnown: unfinished.isKnown)
            throw unfinished.error
        } catch {
            let now: FileObject?
            do {
                now = try await uncancelled { [storage] in try await storage.look(path) }
            } catch _ {
                // It may be gone: undoing finds that out.
                await end(entry, isKnown: false)
                throw error
            }
            if now != nil { entry.steps = [] }
            await end(entry)
            if now == nil { throw error }
            try goOn(plan, error)
            return try await removeForGood([.lost(path, error.reasonInWords)], operation, body)
        }
        await end(entry)
    }

    /// Returns the state of an item with all below it; of the item alone where that can't be counted: it may still be
    /// renamed.
    private func measured(_ item: FileObject) async throws -> ItemStamp {
        do {
            return try await storage.stamp(item)
        } catch let error as CancellationError {
            throw error
        } catch {
            return ItemStamp(item)
        }
    }

    private func removeForGood(
        _ steps: [UndoStep],
        _ operation: FileOperationType,
        _ body: () async throws -> Void
    ) async throws {
        for case .lost(let path, let why) in steps { try await policy.beforeLoss?(path, why) }
        try await record(operation, intended: steps, body, finish: { (result: Void?) in result == nil ? [] : steps })
    }

    /// Sets attributes.
    func setAttributes(
        _ attributes: ItemAttributes,
        _ path: ItemPath,
        on provider: any FileProviderItemAttributes,
        _ body: () async throws -> Void
    ) async throws {
        // A date would be another one than was noted of the file.
        if attributes.modifiedDate == nil, wasWritten(path) { return try await body() }
        guard let item = try await storage.look(path) else { return try await body() }
        var old = ItemAttributes()
        if attributes.modifiedDate != nil { old.modifiedDate = item.modifiedDate }
        if attributes.permissions != nil { old.permissions = item.permissions }
        if !attributes.extendedAttributes.isEmpty, item.type != .symlink {
            let present = try await provider.extendedAttributes(path: path)
            for name in attributes.extendedAttributes.keys {
                // There is no way to take one off again: an empty one is the nearest to none.
                old.extendedAttributes[name] = present[name] ?? Data()
            }
        }
        let former = old
        let intended = [UndoStep.changed(path, left: ItemStamp(item), from: former, to: attributes)]
        try await record(.modify(path: path), intended: intended, body) { [storage] (result: Void?) in
            guard let now = try await storage.look(path) else { return [] }
            if result == nil, ItemStamp(item).matches(now), item.permissions == now.permissions { return [] }
            return [.changed(path, left: ItemStamp(now), from: former, to: attributes)]
        }
    }

    /// Writes several files.
    func writeFiles(
        _ files: [BulkFile],
        overwrite: Bool,
        _ body: () async throws -> [Result<FileObject?, any Error>]
    ) async throws -> [Result<FileObject?, any Error>] {
        let formers = overwrite ? try await formers(of: files) : [:]
        let intended: [UndoStep] = files.map { file in
            formers[file.path].map { .replaced(file.path, left: nil, former: $0.stamp, $0.kept) }
                ?? .added(file.path, expected(file), again: nil)
        }
        let operation = FileOperationType.create(path: files.first?.path ?? .root)
        return try await record(operation, intended: intended, body) { [self] results in
            var steps: [UndoStep] = []
            for (index, file) in files.enumerated() {
                let result = results?[index]
                // The storage's report of it, or the content that was to be written, is enough to know it again.
                if case .success(let said)? = result {
                    var written = FileObject(path: file.path, type: .file)
                    written.size = Int64(file.contents.count)
                    let now = said?.stampable ?? written
                    steps.append(
                        formers[file.path].map { replaced($0, by: now) }
                            ?? .added(file.path, ItemStamp(now), again: nil)
                    )
                    continue
                }
                // A file that was reported as failed isn't ours; without an answer it is, if it is just as it was to
                // be.
                if formers[file.path] == nil, results != nil { continue }
                guard let now = try await storage.look(file.path) else { continue }
                guard let former = formers[file.path] else {
                    if expected(file).matches(now) { steps.append(.added(file.path, ItemStamp(now), again: nil)) }
                    continue
                }
                if former.stamp.matches(now) {
                    await discard([former])
                } else {
                    steps.append(replaced(former, by: now))
                }
            }
            return steps
        }
    }

    /// Makes a folder with files in it.
    ///
    /// Of one that was killed at the very end only the folder is known to be ours, and is not removed while it has files.
    func writeFolder(_ path: ItemPath, _ body: () async throws -> Void) async throws {
        try await record(.create(path: path), intended: [.made(folder: path, nil)], body) {
            [storage] (result: Void?) in
            // A copy that failed has left nothing.
            guard result != nil, let folder = try await storage.look(path) else { return [] }
            return [.added(path, try await storage.stamp(folder), again: nil)]
        }
    }

    private func expected(_ file: BulkFile) -> ItemStamp {
        expected(file.path, size: Int64(file.contents.count), modifiedDate: file.modifiedDate)
    }

    /// Keeps what several files are about to replace, a few at the same time.
    private func formers(of files: [BulkFile]) async throws -> [ItemPath: Former] {
        try await formers(of: files) { try await self.former(of: $0) }
    }

    /// Keeps several items, a few at the same time.
    ///
    /// - Parameters:
    ///   - items: The items to keep.
    ///   - keep: Keeps one of them, if there is anything to keep.
    /// - Returns: The former items, by their paths.
    /// - Throws: Why one can't be kept; then what was kept of the others is let go.
    func formers<Item: Sendable>(
        of items: [Item],
        _ keep: @escaping @Sendable (Item) async throws -> Former?
    ) async throws -> [ItemPath: Former] {
        let (formers, failure) = await withTaskGroup(of: Result<Former?, any Error>.self) { group in
            var formers: [ItemPath: Former] = [:]
            var failure: (any Error)?
            var next = 0
            var running = 0
            while true {
                while running < 8, failure == nil, next < items.count {
                    let item = items[next]
                    group.addTask {
                        do { return .success(try await keep(item)) } catch { return .failure(error) }
                    }
                    (next, running) = (next + 1, running + 1)
                }
                guard let result = await group.next() else { return (formers, failure) }
                running -= 1
                switch result {
                case .success(let former?): formers[former.path] = former
                case .success(nil): continue
                case .failure(let error): failure = failure ?? error
                }
            }
        }
        guard let failure else { return formers }
        await discard(Array(formers.values))
        throw failure
    }

    private func former(of file: BulkFile) async throws -> Former? {
        let (item, since) = try await target(file.path)
        guard let item, item.isRegularFile else { return nil }
        let replacement = UndoStorage.Replacement(
            isWritten: true,
            date: file.modifiedDate,
            unseen: since.map { DateInterval(start: $0, end: max($0, Date().addingTimeInterval(1))) }
        )
        return try await former(item, .modify(path: file.path), replacement)
    }
}
