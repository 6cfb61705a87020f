public import FerryCore
import FerryHTTP
public import Foundation
public import NIOCore

extension OneDriveFileProvider {
    /// Copies an item; where its name is taken, the service finds a free one.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The copy's path, as far as the name is free.
    ///   - progress: 1 unit, which fills as the service says.
    /// - Returns: The copy.
    /// - Throws: `CocoaError.fileNoSuchFile`; errors of the connection.
    public func copyItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        try await keepingBoth(.copy, path, at: target, reporting: progress)
    }

    /// Moves an item; where its name is taken, the service finds a free one.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The new path, as far as the name is free.
    ///   - progress: 1 unit.
    /// - Returns: The item at its new path.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.fileWriteFileExists` onto itself; errors of the connection.
    public func moveItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        try await keepingBoth(.move, path, at: target, reporting: progress)
    }

    private func keepingBoth(
        _ kind: OneDriveTransfer.Kind,
        _ path: ItemPath,
        at target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        try progress.checkCancellation()
        guard !path.isRoot else { throw CocoaError.topStays }
        if target.isRoot { throw CocoaError.itemExists(target) }
        if path.revision != nil || target.isIdentifier {
            throw CocoaError.unsupported("keeping both", path: target)
        }
        let (source, target) = (try await pathFromRoot(named: path), try await pathFromRoot(named: target))
        let file = try await withCancellation(by: progress) {
            try await mappingRefusals(whileWriting: true, target: target) {
                try await OneDriveTransfer(provider: self, kind: kind, progress: progress)
                    .performKeepingBoth(source, at: target)
            }
        }
        progress?.finish()
        return file
    }

    /// Makes a folder; where its name is taken, the service finds a free one.
    ///
    /// - Parameter path: The folder, as far as the name is free.
    /// - Returns: The folder.
    /// - Throws: `CocoaError.fileNoSuchFile`; errors of the connection.
    public func createFolder(keepingBothAt path: ItemPath) async throws -> FileObject {
        try Task.checkCancellation()
        if path.isRoot { throw CocoaError.itemExists(path) }
        return try await createFolder(path, .rename)
    }

    /// Writes a file; where its name is taken, the service finds a free one.
    ///
    /// - Parameters:
    ///   - path: The file, as far as the name is free.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - modifiedDate: The date to give the file.
    ///   - progress: Bytes.
    /// - Returns: The file.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``.
    public func writeStream<Contents: AsyncSequence & Sendable>(
        keepingBothAt path: ItemPath,
        contents: Contents,
        length: Int64?,
        modifiedDate: Date?,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        try progress.checkCancellation()
        if path.isIdentifier { throw CocoaError.unsupported("keeping both", path: path) }
        let options = WriteOptions(modifiedDate: modifiedDate)
        let commit = try await commit(path: path, length: length, options: options, keepsBoth: true)
        return try await write(contents, length: length, commit, reporting: progress)
    }
}
