package import FerryCore
package import Foundation
package import NIOCore

/// Forwards to a provider but hides its `copyItem(localFile:)`, so that small files take the default upload.
package struct DefaultUploads<Provider: FileProviderOperations & FileProviderReadWriteProgressive>:
    FileProviderOperations,
    FileProviderReadWriteProgressive
{
    package static var type: String { Provider.type }

    private let provider: Provider

    /// Hides a provider's own upload.
    ///
    /// - Parameter provider: The provider.
    package init(of provider: Provider) {
        self.provider = provider
    }

    package var baseURL: URL? { provider.baseURL }
    package var credential: FileProviderCredential? { provider.credential }
    package var capabilities: FileProviderCapabilities { provider.capabilities }
    package var environment: FileProviderEnvironment { provider.environment }

    package func directoryListing(path: ItemPath) -> DirectoryListing { provider.directoryListing(path: path) }

    package func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await provider.attributesOfItem(path: path)
    }

    package func storageProperties() async throws -> VolumeObject { try await provider.storageProperties() }

    package func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        try await provider.create(folder: name, at: parent, creatingParents: creatingParents)
    }

    package func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await provider.moveItem(path: path, to: target, overwrite: overwrite, reporting: progress)
    }

    package func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await provider.copyItem(path: path, to: target, overwrite: overwrite, reporting: progress)
    }

    package func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try await provider.removeItem(path: path, reporting: progress)
    }

    package func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try await provider.contentStream(path: path, range: range, reporting: progress)
    }

    package func writeStream<Contents: AsyncSequence & Sendable>(
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
