public import FerryCore
public import Foundation
public import NIOCore

extension DropboxSharedFileProvider: FileProviderBulkWriting {
    /// The limits of one call, those of an account.
    public var bulkLimits: BulkLimits? { account.bulkLimits }

    /// Writes a file in a shared folder.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The condition for replacing, and the date.
    ///   - progress: Bytes.
    /// - Returns: The file as Dropbox describes it.
    /// - Throws: `CocoaError.fileWriteNoPermission` where the account may only look, and in the root; as in an account.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        let (folder, inner) = try await writable(path)
        let written = try await folder.perform {
            try await $0.writeStream(
                path: inner,
                contents: contents,
                length: length,
                options: options,
                reporting: progress
            )
        }
        return written.map { folder.shown($0) }
    }

    /// Writes small files, those of each shared folder together.
    ///
    /// - Parameters:
    ///   - files: Any number of files, each of another path.
    ///   - overwrite: A Boolean value that indicates whether existing files may be replaced.
    /// - Returns: For each file, in the same order, what Dropbox says of it, or why it could not be written.
    /// - Throws: `CancellationError`; what keeps all of a folder's from being written.
    public func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        var results = [Result<FileObject?, any Error>?](repeating: nil, count: files.count)
        var parts: [ItemPath: (folder: DropboxShownFolder, indices: [Int], files: [BulkFile])] = [:]
        for (index, file) in files.enumerated() {
            do {
                let (folder, inner) = try await writable(file.path)
                var moved = file
                moved.path = inner
                parts[folder.path, default: (folder, [], [])].indices.append(index)
                parts[folder.path]?.files.append(moved)
            } catch let error as CocoaError {
                results[index] = .failure(error)
            }
        }
        for part in parts.values {
            let written = try await part.folder.perform { try await $0.writeFiles(part.files, overwrite: overwrite) }
            for (index, result) in zip(part.indices, written) {
                results[index] = result.map { $0.map { part.folder.shown($0) } }.mapError { part.folder.shown($0) }
            }
        }
        return results.map { $0 ?? .failure(CancellationError()) }
    }

    /// Finds the folder in which something is to be changed.
    ///
    /// - Parameter path: The item.
    /// - Returns: The folder, and the path in it, which is never its root.
    /// - Throws: `CocoaError.fileWriteNoPermission` where the account may only look, and for what is shared itself.
    func writable(_ path: ItemPath) async throws -> (folder: DropboxShownFolder, inner: ItemPath) {
        let place: DropboxSharedPlace
        do {
            place = try await items.place(of: path)
        } catch let error where error.isNoSuchItem && path.parent.isRoot {
            throw Self.rootStays(path)
        }
        guard case .folder(let folder, let inner) = place, !inner.isRoot else { throw Self.rootStays(path) }
        guard !folder.folder.isReadOnly else {
            throw CocoaError.file(
                .fileWriteNoPermission,
                path: path,
                description: "the folder is shared with you for viewing only",
                suggestion: "ask its owner to let you edit"
            )
        }
        return (folder, inner)
    }

    private static func rootStays(_ path: ItemPath) -> CocoaError {
        .file(
            .fileWriteNoPermission,
            path: path,
            description: "what is shared with you can't be changed itself, or added to",
            suggestion: "change what is in a shared folder, or do it at dropbox.com"
        )
    }
}
