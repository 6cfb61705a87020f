import FerryCore
import FerryHTTP
import Foundation
import NIOCore

/// The part of Nextcloud that works as on any WebDAV server, below what ``NextcloudFileProvider`` does in its own way.
///
/// The provider resolves identifiers and waits for locks, then hands over to this.
struct NextcloudFiles: WebDAVProvider {
    static let type = NextcloudFileProvider.type

    let provider: NextcloudFileProvider

    var connection: WebDAVConnection { provider.connection }
    var credential: FileProviderCredential? { provider.credential }
    var capabilities: FileProviderCapabilities { provider.capabilities }
    var additionalProperties: [WebDAVPropertyName] { provider.additionalProperties }

    func complete(_ item: inout FileObject, with properties: WebDAVProperties) {
        provider.complete(&item, with: properties)
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
