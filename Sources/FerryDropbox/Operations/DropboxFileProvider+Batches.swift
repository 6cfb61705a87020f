public import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider: FileProviderBatchOperations {
    /// The limit of one request: 1,000 items.
    public var batchLimit: Int? { DropboxBatch.limit }

    /// Removes items, up to 1,000 as one job of Dropbox's.
    ///
    /// After an answer that was lost, each item is looked at: one that is gone was removed.
    ///
    /// - Parameter paths: Any number of items; never the root.
    /// - Returns: For each item, in the same order, success or the error of ``removeItem(path:reporting:)``.
    /// - Throws: `CancellationError`, after which a job may go on; an error that keeps all of them from being removed.
    public func removeItems(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        try await BatchRounds.perform(
            paths,
            atMost: DropboxBatch.limit,
            about: { [$0] },
            where: { !$0.isRoot && (!$0.beginsWithIdentifier || $0.identifier != nil) },
            together: { try await removeTogether($0) },
            alone: { try await removeItem(path: $0, reporting: nil) }
        )
    }

    /// Moves or renames items, up to 1,000 as one job of Dropbox's.
    ///
    /// These are made one by one: moves of items by their identifiers or to other spellings of their names, and those that
    /// replace something.
    ///
    /// After an answer that was lost, each item is looked at: one that was listed before, and is at its target now, was
    /// moved. Of the others the error says so, and none is moved again, since Dropbox may still be at it.
    ///
    /// - Parameters:
    ///   - moves: Any number of items, each with its new path.
    ///   - overwrite: A Boolean value that indicates whether files there may be replaced, and folders merged into.
    /// - Returns: For each item, in the same order, success or the error of ``moveItem(path:to:overwrite:reporting:)``.
    /// - Throws: `CancellationError`, after which a job may go on; an error that keeps all of them from being moved.
    public func moveItems(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        try await BatchRounds.perform(
            moves,
            atMost: DropboxBatch.limit,
            ordersIdentifiers: overwrite,
            about: { [$0.path, $0.target] },
            where: { Self.goesTogether($0) },
            together: { try await moveTogether($0, overwrite: overwrite) },
            alone: { try await moveItem(path: $0.path, to: $0.target, overwrite: overwrite, reporting: nil) }
        )
    }

    // MARK: Removals

    private func removeTogether(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        let entries = paths.map { path -> JSONValue in ["path": .text(DropboxPath.text(path))] }
        for path in paths { folders.forget(path) }
        let batch = DropboxBatch(provider: self, route: "files/delete_batch", check: "files/delete_batch/check") {
            // An item that is gone was removed, as was asked for.
            try await self.attributesIfExists(path: paths[$0]) == nil
        }
        guard let outcomes = try await batch.outcomes(of: entries, about: paths) else {
            return try await oneByOne(paths) { try await remove($0) }
        }
        return await resultOfEach(Array(zip(paths, outcomes))) { path, outcome in
            switch outcome {
            case .done: noteRemoval(of: path)
            case .refused(let error):
                // More than Dropbox removes at once goes part by part.
                guard error.tags.last == "too_many_files" else { throw error.mapped(whileWriting: true) }
                try await remove(path)
            case .unknown(let error): throw error
            }
        }
    }

    // MARK: Moves

    /// Returns whether a move is one that Dropbox makes as it is, as far as its paths tell.
    private static func goesTogether(_ move: ItemMove) -> Bool {
        guard !move.path.isRoot, !move.target.isRoot, !move.path.beginsWithIdentifier,
            !move.target.beginsWithIdentifier, DropboxPath.excess(of: move.target) == nil
        else { return false }
        let (source, target) = (DropboxPath.key(move.path), DropboxPath.key(move.target))
        return source != target && !target.hasPrefix(source + "/")
    }

    private func moveTogether(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        // Dropbox makes missing folders on the way.
        let refusals = try await refusals(ofFoldersFor: moves)
        let able = moves.filter { refusals[DropboxPath.key($0.target.parent)] == nil }
        let entries = able.map { Self.relocation($0.path, $0.target) }
        let batch = DropboxBatch(provider: self, route: "files/move_batch_v2", check: "files/move_batch/check_v2") {
            let transfer = DropboxTransfer(provider: self, kind: .move, progress: nil)
            return try await transfer.wasPut(able[$0].path, to: able[$0].target) != nil
        }
        guard var outcomes = try await batch.outcomes(of: entries, about: able.map(\.path))?.makeIterator() else {
            return try await oneByOne(moves) { move in
                if let refusal = refusals[DropboxPath.key(move.target.parent)] { throw refusal }
                try await moveItem(path: move.path, to: move.target, overwrite: overwrite, reporting: nil)
            }
        }
        return await resultOfEach(moves) { move in
            if let refusal = refusals[DropboxPath.key(move.target.parent)] { throw refusal }
            switch outcomes.next() {
            case .done(let answer)?: noteMove(move, isFolder: answer?["success"].tag == "folder")
            case .refused(let error)?:
                // A move that replaces something goes by itself, and more than Dropbox moves at once part by part.
                guard error.tags.last == "too_many_files" || (overwrite && error.reason == .exists) else {
                    throw error.mapped(whileWriting: true, target: move.target)
                }
                try await moveItem(path: move.path, to: move.target, overwrite: overwrite, reporting: nil)
            // The job may still come to it, so that it must not be made again.
            case .unknown(let error)?: throw error
            case nil: throw URLError.answer(.cannotParseResponse, description: "Dropbox answers about other items")
            }
        }
    }

    /// Returns the errors of the folders that items can't be moved into, by what they are known by.
    private func refusals(ofFoldersFor moves: [ItemMove]) async throws -> [String: any Error] {
        let folders = Dictionary(moves.map { (DropboxPath.key($0.target.parent), $0.target.parent) }) { $1 }
        var refusals: [String: any Error] = [:]
        for (key, folder) in folders {
            do {
                try await requireFolder(folder)
            } catch let error as CocoaError {
                refusals[key] = error
            }
        }
        return refusals
    }

    private func noteMove(_ move: ItemMove, isFolder: Bool) {
        folders.forget(move.path)
        seen.noteLeaving(move.path)
        if isFolder { folders.note(move.target) }
    }
}
