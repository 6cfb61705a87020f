import FerryCore
import Foundation

// Copies and moves, which may merge one folder into another.

extension UndoRecorder {
    /// Copies an item to a place here.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - source: Where it is; here when `nil`.
    ///   - target: The place.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - body: The copy.
    /// - Returns: The value that the copy returns.
    /// - Throws: Any error that the copy throws; why an old content can't be kept.
    func copy<Result: Sendable>(
        _ path: ItemPath,
        of source: (any FileProviderBasic)? = nil,
        to target: ItemPath,
        overwrite: Bool,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let operation = FileOperationType.copy(source: .item(path), destination: .item(target))
        let origin = source ?? storage.base
        guard let item = try await origin.attributesIfExists(path: path), item.path != target || source != nil else {
            return try await body()
        }
        let again: KeptItem? = source == nil && !item.isDirectory ? .original(path, ItemStamp(item)) : nil
        let there = overwrite ? try await storage.look(target) : nil
        if let there, there.isDirectory, item.isDirectory {
            let merge = try await merge(item, of: origin, into: there, operation)
            return try await record(operation, intended: merge.intendedCopy, body) { [self] result in
                try await finishCopy(merge, isWhole: result != nil)
            }
        }
        return try await put(operation, at: target, mayReplace: overwrite, follows: false, again: again, body)
    }

    /// Moves an item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new place.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - body: The move.
    /// - Throws: Any error that the move throws; why an old content can't be kept.
    func move(
        _ path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        _ body: () async throws -> Void
    ) async throws {
        let operation = FileOperationType.move(source: path, destination: target)
        guard let item = try await storage.look(path), path != target else { return try await body() }
        let there = overwrite ? try await storage.look(target) : nil
        let moved = UndoStep.moved(from: path, to: target, ItemStamp(item))
        guard let there, there.id == nil || there.id != item.id, try await !isSameItem(path, target) else {
            return try await record(operation, intended: [moved], body) { [self] (result: Void?) in
                try await finishMove(moved, isWhole: result != nil)
            }
        }
        if there.isDirectory != item.isDirectory { return try await body() }
        if there.isDirectory {
            let merge = try await merge(item, of: storage.base, into: there, operation)
            return try await record(operation, intended: merge.intendedMove, body) { [self] (_: Void?) in
                try await finishMerge(merge)
            }
        }
        let former = try await former(there, operation, UndoStorage.Replacement())
        let gone: UndoStep =
            former.kept.map { .removed(target, former.stamp, $0) } ?? .lost(target, former.loss ?? "nothing was kept")
        try await record(operation, intended: [gone, moved], body) { [self] (result: Void?) in
            if let now = try await storage.look(target), former.stamp.matches(now), result == nil {
                await discard([former])
                return []
            }
            return [gone] + (try await finishMove(moved, isWhole: result != nil))
        }
    }

    /// Returns whether a storage takes two spellings for one: then nothing is replaced.
    private func isSameItem(_ path: ItemPath, _ other: ItemPath) async throws -> Bool {
        guard path.mayBeSame(as: other), let storage = storage.base as? any FileProviderNameFolding else {
            return false
        }
        return try await storage.isSameItem(path, other)
    }

    private func finishMove(_ step: UndoStep, isWhole: Bool) async throws -> [UndoStep] {
        guard case .moved(let source, let target, let stamp) = step else { return [] }
        guard isWhole else { return try await UndoPerformer().settle([step], on: storage) }
        let now = try await storage.base.attributesOfItem(path: target)
        return [.moved(from: source, to: target, ItemStamp(now, tree: stamp?.tree))]
    }

    // MARK: - Merging

    /// The steps of merging one folder into another, item by item.
    struct Merge: Sendable {
        /// Items that are only in the source: where they are, and where they go.
        var new: [(source: FileObject, target: ItemPath)] = []
        /// Files that are in both.
        var clashes: [(source: FileObject, former: Former)] = []
        /// Folders that are in both, outer ones first.
        var folders: [FileObject] = []

        var intendedCopy: [UndoStep] {
            new.map { .added($0.target, nil, again: nil) }
                + clashes.map { .replaced($0.former.path, left: nil, former: $0.former.stamp, $0.former.kept) }
        }

        var intendedMove: [UndoStep] {
            var steps: [UndoStep] = new.map { .moved(from: $0.source.path, to: $0.target, ItemStamp($0.source)) }
            for clash in clashes {
                steps.append(.removed(clash.former.path, clash.former.stamp, clash.former.kept))
                steps.append(.moved(from: clash.source.path, to: clash.former.path, ItemStamp(clash.source)))
            }
            return steps + folders.reversed().map { .unmade(folder: $0.path, ItemStamp($0)) }
        }
    }

    /// Looks what a merge will do, and keeps what it will replace.
    private func merge(
        _ source: FileObject,
        of origin: any FileProviderBasic,
        into target: FileObject,
        _ operation: FileOperationType
    ) async throws -> Merge {
        var merge = Merge()
        do {
            try await add(source, of: origin, target.path, operation, to: &merge)
        } catch {
            await discard(merge.clashes.map(\.former))
            throw error
        }
        return merge
    }

    private func add(
        _ source: FileObject,
        of origin: any FileProviderBasic,
        _ target: ItemPath,
        _ operation: FileOperationType,
        to merge: inout Merge
    ) async throws {
        merge.folders.append(source)
        let here = try await storage.base.contentsOfDirectory(path: target)
        let names = Dictionary(here.map { ($0.path.lastName, $0) }, uniquingKeysWith: { first, _ in first })
        var clashes: [(item: FileObject, there: FileObject)] = []
        var folders: [(FileObject, ItemPath)] = []
        for item in try await origin.contentsOfDirectory(path: source.path) {
            let name = item.path.lastName
            guard let there = names[name] else {
                merge.new.append((item, target.appending(name)))
                continue
            }
            if there.isDirectory, item.isDirectory {
                folders.append((item, there.path))
            } else if !there.isDirectory, !item.isDirectory {
                clashes.append((item, there))
            }
        }
        let formers = try await formers(of: clashes.map(\.there)) { [self] there in
            try await former(there, operation, UndoStorage.Replacement())
        }
        for clash in clashes {
            if let former = formers[clash.there.path] { merge.clashes.append((clash.item, former)) }
        }
        for (item, there) in folders { try await add(item, of: origin, there, operation, to: &merge) }
    }

    private func finishCopy(_ merge: Merge, isWhole: Bool) async throws -> [UndoStep] {
        var steps: [UndoStep] = []
        for (_, target) in merge.new {
            guard let now = try await storage.look(target) else { continue }
            steps.append(.added(target, try await storage.stamp(now), again: nil))
        }
        var clashes = merge.clashes[...]
        while let folder = clashes.first?.former.path.parent {
            let here = clashes.prefix { $0.former.path.parent == folder }.map(\.former)
            clashes = clashes.dropFirst(here.count)
            let items = try await look(here.map(\.path), in: folder)
            for former in here {
                guard let now = items[former.path] else { continue }
                if former.stamp.matches(now) {
                    await discard([former])
                } else {
                    steps.append(replaced(former, by: now))
                }
            }
        }
        return steps
    }

    /// Notes what a merge by moving has come to, as far as it went.
    private func finishMerge(_ merge: Merge) async throws -> [UndoStep] {
        var steps: [UndoStep] = []
        for (source, target) in merge.new {
            steps += try await UndoPerformer().settle(
                [.moved(from: source.path, to: target, ItemStamp(source))],
                on: storage
            )
        }
        for (source, former) in merge.clashes {
            if let now = try await storage.look(former.path), former.stamp.matches(now) {
                await discard([former])
                continue
            }
            let kept = former.kept
            steps.append(
                kept.map { .removed(former.path, former.stamp, $0) } ?? .lost(former.path, former.loss ?? "not kept")
            )
            steps += try await UndoPerformer().settle(
                [.moved(from: source.path, to: former.path, ItemStamp(source))],
                on: storage
            )
        }
        for folder in merge.folders.reversed() where try await storage.look(folder.path) == nil {
            steps.append(.unmade(folder: folder.path, ItemStamp(folder)))
        }
        return steps
    }
}
