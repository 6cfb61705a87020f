import FerryCore
import Foundation
import NIOCore

/// Forwards to the provider but hides its `copyItem(localFile:)`, so that small files take the default upload.
struct OneDriveFiles: FileProviderOperations, FileProviderReadWriteProgressive {
    static let type = OneDriveFileProvider.type

    let provider: OneDriveFileProvider

    var baseURL: URL? { provider.baseURL }
    var credential: FileProviderCredential? { provider.credential }
    var capabilities: FileProviderCapabilities { provider.capabilities }
    var environment: FileProviderEnvironment { provider.environment }

    func directoryListing(path: ItemPath) -> DirectoryListing { provider.directoryListing(path: path) }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await provider.attributesOfItem(path: path)
    }

    func storageProperties() async throws -> VolumeObject { try await provider.storageProperties() }

    func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        try await provider.create(folder: name, at: parent, creatingParents: creatingParents)
    }

    func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await provider.moveItem(path: path, to: target, overwrite: overwrite, reporting: progress)
    }

    func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await provider.copyItem(path: path, to: target, overwrite: overwrite, reporting: progress)
    }

    func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try await provider.removeItem(path: path, reporting: progress)
    }

    func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try await provider.contentStream(path: path, range: range, reporting: progress)
    }

    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try await provider.writeStream(
            path: path,
            contents: contents,
            length: length,
            options: options,
            reporting: progress
        )
    }
}
