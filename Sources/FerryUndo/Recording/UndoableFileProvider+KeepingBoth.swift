public import FerryCore
public import Foundation
public import NIOCore

// An operation is written down before it is done, with the paths that it is about: where it is recorded, the free name is
// found by listing and not by the server.

extension UndoableFileProvider where Base: FileProviderOperations {
    /// Records it, under the name that was free.
    public func copyItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        guard recorder != nil else {
            return try await base.copyItem(path: path, keepingBothAt: target, reporting: progress)
        }
        return try await keepingBoth(at: target) { free in
            try await copyItem(path: path, to: free, overwrite: false, reporting: progress)
        }
    }

    /// Records it, under the name that was free.
    public func moveItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        guard recorder != nil else {
            return try await base.moveItem(path: path, keepingBothAt: target, reporting: progress)
        }
        guard path != target else { throw CocoaError.itemExists(target) }
        return try await keepingBoth(at: target) { free in
            try await moveItem(path: path, to: free, overwrite: false, reporting: progress)
        }
    }

    /// Records it, under the name that was free.
    public func createFolder(keepingBothAt path: ItemPath) async throws -> FileObject {
        guard recorder != nil else { return try await base.createFolder(keepingBothAt: path) }
        guard !path.isRoot, !path.isIdentifier else {
            throw CocoaError.file(.fileWriteInvalidFileName, path: path, description: "it has no name")
        }
        return try await keepingBoth(at: path) { free in
            try await create(folder: free.lastName, at: free.parent, creatingParents: false)
        }
    }
}

extension UndoableFileProvider where Base: FileProviderReadWriteProgressive {
    /// Records it, under the name that was free.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        keepingBothAt path: ItemPath,
        contents: Contents,
        length: Int64?,
        modifiedDate: Date?,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        guard recorder != nil else {
            return try await base.writeStream(
                keepingBothAt: path,
                contents: contents,
                length: length,
                modifiedDate: modifiedDate,
                reporting: progress
            )
        }
        let free = try await fileByUniqueName(path)
        let written = try await writeStream(
            path: free,
            contents: contents,
            length: length,
            options: WriteOptions(modifiedDate: modifiedDate),
            reporting: progress
        )
        if let written { return written }
        return try await attributesOfItem(path: free)
    }
}
