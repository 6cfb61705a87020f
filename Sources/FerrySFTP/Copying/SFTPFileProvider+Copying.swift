public import FerryCore
public import Foundation

extension SFTPFileProvider {
    /// Moves an item with all below it, on the server.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for a rename, more for merged folders.
    /// - Throws: See `FileProviderOperations`; `CocoaError.fileWriteUnknown` to another file system of the server.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await perform(
            SFTPTransfer(kind: .move, source: path, target: target, overwrite: overwrite),
            reporting: progress
        )
    }

    /// Copies an item with all below it: on the server where it can (`copy-data`), else through here.
    ///
    /// - Parameters:
    ///   - path: The item; a link is copied as a link.
    ///   - target: The copy's path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: Bytes.
    /// - Throws: See `FileProviderOperations`.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await perform(
            SFTPTransfer(kind: .copy, source: path, target: target, overwrite: overwrite),
            reporting: progress
        )
    }

    private func perform(_ transfer: SFTPTransfer, reporting progress: Progress?) async throws {
        try progress.checkCancellation()
        try await withCancellation(by: progress) {
            try transfer.requireSense()
            let line = try await self.line()
            let (source, target) = (try line.path(transfer.source), try line.path(transfer.target, whileWriting: true))
            let (from, to): (SFTPAttributes?, SFTPAttributes?)
            do {
                let look = line.connection.begin(.lstat(source))
                let other = line.connection.begin(.lstat(target))
                from = try await look.attributesIfThere()
                if from == nil {
                    throw await line.readError(SFTPRefusal(status: SFTPStatus(.noSuchFile)), transfer.source)
                }
                to = try await other.attributesIfThere()
            } catch {
                throw await line.writeError(error, transfer.target)
            }
            switch try transfer.step(source: from?.kind, target: to?.kind) {
            case .put: try await self.put(transfer, from?.kind, replacing: nil, line, progress)
            case .replace: try await self.put(transfer, from?.kind, replacing: to, line, progress)
            case .merge: try await self.merge(transfer, line, progress)
            }
        }
        progress?.finish()
    }

    /// Moves or copies one item as a whole.
    ///
    /// - Parameters:
    ///   - transfer: Which item, and where it goes.
    ///   - kind: The kind of item.
    ///   - existing: The file there that is to be replaced.
    ///   - line: The line.
    ///   - progress: Bytes, or 1 unit.
    /// - Throws: See `FileProviderOperations`.
    private func put(
        _ transfer: SFTPTransfer,
        _ kind: FileObject.Kind?,
        replacing existing: SFTPAttributes?,
        _ line: SFTPLine,
        _ progress: Progress?
    ) async throws {
        let (source, place) = (try line.path(transfer.source), try line.path(transfer.target, whileWriting: true))
        let isFolder = kind == .directory
        guard transfer.kind == .copy else {
            do {
                return try await line.settle(
                    source,
                    at: place,
                    replacing: existing != nil,
                    isFolder: isFolder,
                    isTemporary: false
                )
            } catch {
                throw await line.moveError(error, transfer, wantsAbsence: existing == nil)
            }
        }
        let target = SFTPWriteTarget(place: place, existing: existing)
        try await whileTemporary(target.temporary, line, isFolder: isFolder) {
            do {
                let copier = SFTPTreeCopier(provider: self, line: line, progress: progress)
                try await copier.copy(source, kind, to: target.temporary)
                try progress.checkCancellation()
                try await line.settle(target.temporary, at: place, replacing: existing != nil, isFolder: isFolder)
            } catch let error as SFTPReadRefusal {
                throw await line.readError(error.refusal, transfer.source)
            } catch {
                throw await line.writeError(error, transfer.target, wantsAbsence: existing == nil)
            }
        }
    }

    /// Puts what is in a folder into another that exists.
    ///
    /// All is looked at first: where a file meets a folder nothing is done at all. What is new there goes as a whole.
    private func merge(_ transfer: SFTPTransfer, _ line: SFTPLine, _ progress: Progress?) async throws {
        var plan = SFTPMergePlan()
        try await plan.add(transfer.source, transfer.target, on: self)
        for item in plan.items {
            try progress.checkCancellation()
            let part = SFTPTransfer(
                kind: transfer.kind,
                source: item.source.path,
                target: item.target,
                overwrite: item.replaced != nil
            )
            let existing = item.replaced.map { SFTPAttributes(mode: $0.permissions.map(UInt32.init)) }
            try await put(part, item.source.type, replacing: existing, line, progress)
            if transfer.kind == .move { progress?.completedUnitCount += 1 }
        }
        guard transfer.kind == .move else { return }
        // The innermost first. What somebody has put there meanwhile stays: a folder that is not empty can't be removed.
        for folder in plan.folders.reversed() {
            do {
                try await line.connection.begin(.rmdir(line.path(folder, whileWriting: true))).success()
            } catch let refusal as SFTPRefusal {
                if try await contentsOfDirectory(path: folder).isEmpty { throw await line.writeError(refusal, folder) }
            }
        }
    }
}

/// The plan for merging a folder into another.
private struct SFTPMergePlan {
    struct Item {
        let source: FileObject
        let target: ItemPath
        let replaced: FileObject?
    }

    /// The items that go as a whole.
    var items: [Item] = []

    /// The folders that both have, each before those in it.
    var folders: [ItemPath] = []

    /// Compares two folders, and all folders in both of them.
    mutating func add(_ source: ItemPath, _ target: ItemPath, on provider: SFTPFileProvider) async throws {
        folders.append(source)
        var there: [ItemPath: FileObject] = [:]
        for item in try await provider.contentsOfDirectory(path: target) { there[item.path] = item }
        for item in try await provider.contentsOfDirectory(path: source) {
            try Task.checkCancellation()
            let path = target.appending(item.name)
            switch there[path] {
            case nil: items.append(Item(source: item, target: path, replaced: nil))
            case let other? where other.isDirectory != item.isDirectory: throw CocoaError.itemExists(path)
            case .some where item.isDirectory: try await add(item.path, path, on: provider)
            case let other?: items.append(Item(source: item, target: path, replaced: other))
            }
        }
    }
}

extension SFTPLine {
    /// The error of a rename, of which the server doesn't say which end is to blame.
    func moveError(_ error: any Error, _ transfer: SFTPTransfer, wantsAbsence: Bool) async -> any Error {
        guard let refusal = error as? SFTPRefusal else { return SFTPFileProvider.lineError(error) }
        do {
            // Somebody may have been quicker.
            if refusal.code == .noSuchFile,
                try await connection.begin(.lstat(path(transfer.source))).attributesIfThere() == nil
            {
                return await readError(refusal, transfer.source)
            }
        } catch {
            return await readError(error, transfer.source)
        }
        return await writeError(refusal, transfer.target, wantsAbsence: wantsAbsence)
    }
}
