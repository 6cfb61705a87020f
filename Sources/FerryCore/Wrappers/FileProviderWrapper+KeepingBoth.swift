public import Foundation
public import NIOCore

// Calls that can't be repeated: after a lost answer there would be two.

extension FileProviderWrapper where Self: FileProviderOperations, Base: FileProviderOperations {
    /// Passes the call.
    public func copyItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        try await pass(FileProviderCall(.copyItem, path: path, target: target)) {
            try await base.copyItem(path: path, keepingBothAt: target, reporting: progress)
        }
    }

    /// Passes the call.
    public func moveItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        try await pass(FileProviderCall(.moveItem, path: path, target: target)) {
            try await base.moveItem(path: path, keepingBothAt: target, reporting: progress)
        }
    }

    /// Passes the call.
    public func createFolder(keepingBothAt path: ItemPath) async throws -> FileObject {
        try await pass(FileProviderCall(.createFolder, path: path)) {
            try await base.createFolder(keepingBothAt: path)
        }
    }
}

extension FileProviderWrapper where Self: FileProviderReadWriteProgressive, Base: FileProviderReadWriteProgressive {
    /// Passes the call.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        keepingBothAt path: ItemPath,
        contents: Contents,
        length: Int64?,
        modifiedDate: Date?,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        try await pass(FileProviderCall(.writeStream, path: path)) {
            try await base.writeStream(
                keepingBothAt: path,
                contents: contents,
                length: length,
                modifiedDate: modifiedDate,
                reporting: progress
            )
        }
    }
}
