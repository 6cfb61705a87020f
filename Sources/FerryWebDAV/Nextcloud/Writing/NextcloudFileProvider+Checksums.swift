import FerryCore
import FerryCrypto
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension NextcloudFileProvider {
    /// Has the server read a file, and work out its SHA-256.
    ///
    /// The checksum that clients have given with an upload is no answer: the server keeps that without a look.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - eTag: The eTag that the file must have; `nil` for any.
    /// - Returns: The checksum in hexadecimal; `nil` from a server that can't do that.
    /// - Throws: Errors of the connection.
    func storedChecksum(of path: ItemPath, eTag: String? = nil) async throws -> String? {
        guard facts.product == .nextcloud else { return nil }
        var fields: HTTPFields = [.recalculatedHash: "sha256"]
        fields[.ifMatch] = eTag
        let reply = try await connection.session.send(
            place.origin.request(.patch, connection.target(path, isFolder: false), fields),
            options: HTTPRequestOptions(path: path, isIdempotent: true)
        )
        await reply.body.drain()
        guard reply.status.kind == .successful, let told = reply.head.headerFields[.contentChecksum]?.lowercased(),
            told.hasPrefix("sha256:")
        else { return nil }
        return String(told.dropFirst("sha256:".count))
    }
}

/// A checksum of the bytes that are uploaded, of the kind that the server compares.
final class UploadChecksum: Sendable {
    private let state: Mutex<RunningHash>

    init(of product: NextcloudServerFacts.Product) {
        state = Mutex(RunningHash(product == .nextcloud ? .sha256 : .sha1))
    }

    /// Counts a chunk in, and returns it.
    @discardableResult
    func pass(_ chunk: ByteBuffer) -> ByteBuffer {
        state.withLock { hash in
            chunk.withUnsafeReadableBytes { hash.update($0) }
        }
        return chunk
    }

    /// The checksum of all bytes so far, in hexadecimal.
    func finish() -> String {
        state.withLock { $0 }.finalize().hexadecimal
    }
}
