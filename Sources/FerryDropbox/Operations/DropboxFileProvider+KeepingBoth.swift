public import FerryCore
import FerryHTTP
public import Foundation
public import NIOCore

// Dropbox finds the free name: "report (1).pdf". After an answer that was lost nobody can say which name that was, so these
// requests are not repeated then.

extension DropboxFileProvider {
    /// Copies an item with all below it to a name that is free, which Dropbox chooses.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The path that the copy gets if it is free.
    ///   - progress: 1 unit.
    /// - Returns: The copy.
    /// - Throws: See the rules of `FileProviderOperations`.
    public func copyItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        if path.revision != nil {
            return try await keepingBoth(at: target) { free in
                try await copyItem(path: path, to: free, overwrite: false, reporting: progress)
            }
        }
        return try await relocate(.copy, path, keepingBothAt: target, reporting: progress)
    }

    /// Moves an item with all below it to a name that is free, which Dropbox chooses.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The path that it gets if that is free; another spelling of its own name counts as free.
    ///   - progress: 1 unit.
    /// - Returns: The item, at its new path.
    /// - Throws: See the rules of `FileProviderOperations`.
    public func moveItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        if path.revision != nil { throw CocoaError.unsupported("moving a revision", path: path) }
        return try await relocate(.move, path, keepingBothAt: target, reporting: progress)
    }

    /// Makes a folder with a name that is free, which Dropbox chooses.
    ///
    /// - Parameter path: The path that the folder gets if it is free; the folder above must exist.
    /// - Returns: The folder.
    /// - Throws: See the rules of `FileProviderOperations`.
    public func createFolder(keepingBothAt path: ItemPath) async throws -> FileObject {
        try Task.checkCancellation()
        try checkNewName(of: path)
        let path = try await pathFromRoot(named: path)
        try await requireFolder(path.parent)
        let answer = try await mappingRefusals(whileWriting: true, target: path) {
            try await connection.call(
                "files/create_folder_v2",
                ["path": .text(DropboxPath.text(path)), "autorename": true],
                as: CreatedFolder.self,
                about: path,
                isIdempotent: false
            )
        }
        return noted(folder(answer.metadata, at: path))
    }

    /// Writes a new file from chunks as they come, with a name that is free, which Dropbox chooses.
    ///
    /// - Parameters:
    ///   - path: The path that the file gets if it is free; its folder must exist.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - modifiedDate: The date to set.
    ///   - progress: Bytes.
    /// - Returns: The file; its content hash was compared with what was sent.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        keepingBothAt path: ItemPath,
        contents: Contents,
        length: Int64?,
        modifiedDate: Date?,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        try progress.checkCancellation()
        try checkNewName(of: path)
        var commit = try await commit(path: path, length: length, options: WriteOptions(modifiedDate: modifiedDate))
        commit.keepsBoth = true
        return try await write(contents, length: length, commit, reporting: progress)
    }
}

extension DropboxFileProvider {
    private func checkNewName(of path: ItemPath) throws {
        guard !path.isRoot else {
            throw CocoaError.file(.fileWriteInvalidFileName, path: path, description: "it has no name")
        }
        try checkName(of: path)
    }

    private func relocate(
        _ kind: DropboxTransfer.Kind,
        _ path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        try progress.checkCancellation()
        try checkNewName(of: target)
        let target = try await pathFromRoot(named: target)
        let source = try await attributesOfItem(path: path)
        guard !source.path.isRoot else {
            throw CocoaError.file(.fileWriteNoPermission, path: .root, description: "the top of a storage stays there")
        }
        let (sourceKey, targetKey) = (DropboxPath.key(source.path), DropboxPath.key(target))
        if kind == .move, sourceKey == targetKey {
            guard source.path != target else { throw CocoaError.itemExists(target) }
            try await moveItem(path: source.path, to: target, overwrite: false, reporting: progress)
            return try await attributesOfItem(path: target)
        }
        if source.isDirectory, targetKey.hasPrefix(sourceKey + "/") {
            throw CocoaError.intoItself(source.path, target: target)
        }
        try await requireFolder(target.parent)
        let item: FileObject
        do {
            item = try await withCancellation(by: progress) {
                try await self.relocated(kind, source, keepingBothAt: target)
            }
        } catch let error as DropboxError {
            guard error.tags.last == "too_many_files" else { throw error.mapped(whileWriting: true, target: target) }
            // More than Dropbox handles at once: part by part, to a name that is free now.
            let free = try await fileByUniqueName(target)
            switch kind {
            case .copy: try await copyItem(path: source.path, to: free, overwrite: false, reporting: progress)
            case .move: try await moveItem(path: source.path, to: free, overwrite: false, reporting: progress)
            }
            return try await attributesOfItem(path: free)
        }
        if kind == .move {
            folders.forget(source.path)
            seen.noteLeaving(source.path)
        }
        progress?.finish()
        return noted(item)
    }

    private func relocated(
        _ kind: DropboxTransfer.Kind,
        _ source: FileObject,
        keepingBothAt target: ItemPath
    ) async throws -> FileObject {
        let places = Self.relocation(source.path, target)
        guard source.isDirectory else {
            var argument: [String: JSONValue] = ["autorename": true]
            if case .object(let members) = places { argument.merge(members) { first, _ in first } }
            let answer = try await connection.call(
                kind == .move ? "files/move_v2" : "files/copy_v2",
                .object(argument),
                as: RelocatedItem.self,
                about: source.path,
                isIdempotent: false
            )
            return try item(answer.metadata, at: target)
        }
        let metadata = try await connection.patiently {
            try await DropboxTransfer.movedFolder(kind, places, keepsBoth: true, about: source.path, on: self)
        }
        return folder(metadata, at: target)
    }

    /// The folder that an answer describes, which may leave out its kind.
    private func folder(_ metadata: DropboxMetadata, at path: ItemPath) -> FileObject {
        FileObject(
            name: DropboxPath.name(metadata.name),
            in: path.parent,
            type: .directory,
            id: metadata.id.map { $0.hasPrefix("id:") ? String($0.dropFirst(3)) : $0 }
        )
    }

    private func noted(_ item: FileObject) -> FileObject {
        if item.isDirectory { folders.note(item.path) }
        seen.note(item)
        return item
    }
}

/// The answer to the making of a folder; the folder's kind goes without saying there.
private struct CreatedFolder: Decodable, Sendable {
    let metadata: DropboxMetadata
}
