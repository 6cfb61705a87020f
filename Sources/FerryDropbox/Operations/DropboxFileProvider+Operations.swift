public import FerryCore
import FerryHTTP
public import Foundation
import Synchronization

extension DropboxFileProvider {
    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: A Boolean value that indicates whether to make what is missing above it.
    /// - Throws: `CocoaError.fileWriteFileExists` if anything has that name; `.fileNoSuchFile` without a parent.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        try Task.checkCancellation()
        let path = try await pathFromRoot(parent).appending(name)
        guard !path.isRoot else { throw CocoaError.itemExists(path) }
        try checkName(of: path)
        // Dropbox makes missing folders on the way.
        if !creatingParents { try await requireFolder(path.parent) }
        do {
            try await createFolder(path)
        } catch let error as CocoaError where creatingParents && error.code == .fileWriteFileExists {
            guard try await attributesIfExists(path: path)?.isDirectory == true else { throw error }
            folders.note(path)
        }
    }

    private func createFolder(_ path: ItemPath) async throws {
        let request = try await request(for: .create(path: path))
        do {
            let data = try await connection.answer(to: request, about: path)
            let answer = try DropboxConnection.decoded(JSONValue.self, from: data)
            guard answer["metadata"]["name"].string != nil else {
                throw URLError.answer(.cannotParseResponse, description: "Dropbox does not say what it has made")
            }
        } catch let error as DropboxError {
            throw error.mapped(whileWriting: true, target: path)
        }
        folders.note(path)
    }

    /// Removes an item, a folder with all below it; it stays in the trash for as long as the account's plan says.
    ///
    /// - Parameters:
    ///   - path: The item; never the root.
    ///   - progress: 1 unit.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try progress.checkCancellation()
        guard !path.isRoot else { throw CocoaError.topStays }
        if path.revision != nil { throw CocoaError.unsupported("removing a revision", path: path) }
        let path = try await pathFromRoot(named: path)
        try await withCancellation(by: progress) { _ = try await self.remove(path) }
        progress?.finish()
    }

    /// Removes an item.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item as it was.
    /// - Throws: `CocoaError.fileNoSuchFile`; errors of the connection.
    @discardableResult
    func remove(_ path: ItemPath) async throws -> DropboxMetadata {
        let request = try await request(for: .remove(path: path))
        folders.forget(path)
        do {
            // Not again: what is there now may be another item.
            let removed = try await connection.onceOnly(repeats: false) {
                let data = try await connection.answer(to: request, about: path)
                return try DropboxConnection.decoded(RelocatedItem.self, from: data).metadata
            } outcome: {
                // An item that is gone was removed, as was asked for.
                try await attributesIfExists(path: path) == nil ? DropboxMetadata(name: path.lastName) : nil
            }
            noteRemoval(of: path)
            return removed
        } catch let error as DropboxError {
            guard error.tags.last == "too_many_files" else { throw error.mapped(whileWriting: true) }
        }
        // More than Dropbox removes at once: first what is below.
        for try await page in directoryListing(path: path) {
            for item in page { try await remove(item.path) }
        }
        return try await remove(path)
    }

    /// Notes that an item was removed by us.
    ///
    /// - Parameter path: The item.
    func noteRemoval(of path: ItemPath) {
        seen.noteLeaving(path)
        // A folder of that name that was put into the trash before is another one.
        trashedTrees.withLock { $0[DropboxPath.key(path)] = nil }
    }

    /// Moves an item with all below it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included; another spelling of its own name counts as one.
    ///   - overwrite: A Boolean value that indicates whether a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for each item that is moved by itself.
    /// - Throws: See the rules of `FileProviderOperations`.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await transfer(.move, path, to: target, overwrite: overwrite, reporting: progress)
    }

    /// Copies an item with all below it, inside the account.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The copy's path, name included.
    ///   - overwrite: A Boolean value that indicates whether a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for each item that is copied by itself.
    /// - Throws: See the rules of `FileProviderOperations`.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await transfer(.copy, path, to: target, overwrite: overwrite, reporting: progress)
    }

    private func transfer(
        _ kind: DropboxTransfer.Kind,
        _ path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try progress.checkCancellation()
        guard !path.isRoot else { throw CocoaError.topStays }
        try checkName(of: target)
        let target = try await pathFromRoot(named: target)
        if path.revision != nil {
            guard kind == .copy else { throw CocoaError.unsupported("moving a revision", path: path) }
            return try await copyRevision(path, to: target, overwrite: overwrite, reporting: progress)
        }
        try await withCancellation(by: progress) {
            try await DropboxTransfer(provider: self, kind: kind, progress: progress)
                .perform(path, to: target, overwrite: overwrite)
        }
        progress?.finish()
    }
}

extension DropboxFileProvider {
    /// Copies an earlier content, which Dropbox does not do by itself, through here.
    private func copyRevision(
        _ path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let stream = try await contentStream(path: path, range: .all)
        try await writeStream(
            path: target,
            contents: stream,
            length: stream.facts.range.map { Int64($0.count) },
            options: WriteOptions(overwrite: overwrite, modifiedDate: stream.facts.modifiedDate),
            reporting: progress
        )
    }
}

extension CocoaError {
    fileprivate static var topStays: CocoaError {
        .file(.fileWriteNoPermission, path: .root, description: "the top of a storage can't be removed or moved")
    }
}

/// The answer to a move, a copy or a removal.
struct RelocatedItem: Decodable, Sendable {
    let metadata: DropboxMetadata
}
