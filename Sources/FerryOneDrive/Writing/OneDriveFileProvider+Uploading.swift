public import FerryCore
import FerryHTTP
public import Foundation
import Synchronization

extension OneDriveFileProvider {
    /// Uploads a file of this machine, with its modified date.
    ///
    /// It goes in fragments, unless it is empty. When the process dies, the next upload of the same file to the same path
    /// goes on where the service says that it stands, if the provider was opened with an `uploadsFolder`.
    ///
    /// - Parameters:
    ///   - localFile: The file's URL.
    ///   - target: Its path, name included.
    ///   - overwrite: A Boolean value that indicates whether a file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: As any write; errors about the local file name its path.
    public func copyItem(
        localFile: URL,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let source = try LocalUploadSource(localFile)
        let identity = try await source.identity()
        let smallest = OneDriveUpload.limits(isStream: true).firstSize
        guard identity.size > smallest else {
            return try await uploadAsStream(
                localFile: localFile,
                to: target,
                overwrite: overwrite,
                reporting: progress
            )
        }
        try progress.checkCancellation()
        let options = WriteOptions(overwrite: overwrite, modifiedDate: identity.modifiedDate)
        let commit = try await commit(path: target, length: identity.size, options: options)
        try await checkExisting(commit)
        let driver = OneDriveUploadDriver(self, commit, size: identity.size, isStream: false) {
            let hash = OneDriveContentHash()
            try await source.read { hash.pass($0) }
            return hash.finish()
        }
        let session = UploadSession(
            driver,
            path: commit.path,
            key: try await uploadKey(commit),
            store: uploads,
            policy: retryPolicy,
            clock: connection.clock,
            now: connection.now
        )
        if let file = try await session.upload(source, reporting: progress) {
            await removeVersions(of: file, after: commit)
        }
        progress?.finish()
    }

    /// Returns the key that an upload is remembered by.
    ///
    /// The drive tells accounts apart, as tokens change with time. A session can't be given another condition.
    private func uploadKey(_ commit: OneDriveCommit) async throws -> String {
        if drive.withLock({ $0.id == nil }) {
            let answer = try await mappingRefusals(whileWriting: true, target: commit.path) {
                try await connection.call(.get, try await top().drive, about: commit.path)
            }
            drive.withLock { $0.id = $0.id ?? answer["id"].string }
        }
        // Answers spell it in small letters and in capitals.
        let id = drive.withLock { $0.id }?.lowercased() ?? ""
        let condition = "\(commit.conflict.rawValue) \(commit.options.ifMatch ?? "")"
        return "\(Self.type) \(options.graphURL) \(id) \(commit.address.route()) \(condition)"
    }

    /// Lets the service forget an upload, as far as it can be reached.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - path: The file.
    func forget(_ session: UploadSessionHandle, about path: ItemPath) async {
        // Best effort: the service forgets a session that nobody goes on with.
        guard let request = try? connection.request(following: session.id, .delete, isIdempotent: true) else { return }
        let reply = try? await connection.send(request, about: path, isSigned: false)
        await reply?.body.drain()
    }
}

/// The limits of uploads, as Microsoft documents them.
///
/// See <https://learn.microsoft.com/graph/api/driveitem-createuploadsession>.
enum OneDriveUpload {
    /// Bytes that a file can have.
    static let largestFile: Int64 = 250 << 30

    /// Bytes that are sent with one request, without a session, at most; the service takes 250 MB.
    static let largestRequest: Int64 = 4 << 20

    /// Bytes that every fragment but the last is a multiple of.
    static let alignment: Int64 = 320 << 10

    /// Returns the sizes of fragments; one follows the other.
    ///
    /// - Parameter isStream: A Boolean value that indicates whether each fragment is held in memory.
    /// - Returns: Fragments of 10 MiB; larger ones on a quick line, where they are read from a file.
    static func limits(isStream: Bool) -> UploadPieceLimits {
        UploadPieceLimits(
            minimumSize: alignment,
            maximumSize: isStream ? 32 * alignment : 160 * alignment,
            firstSize: 32 * alignment,
            multiple: alignment,
            maximumCount: 1_000_000,
            parallelism: 1,
            targetDuration: isStream ? nil : .seconds(10)
        )
    }
}
