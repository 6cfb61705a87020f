public import FerryCore
import FerryHTTP
public import Foundation

extension DropboxFileProvider {
    /// Uploads a file of this machine, with its modified date.
    ///
    /// A large one goes in parts. When the process dies, the next upload of the same file to the same path goes on where
    /// Dropbox says that it stands, if the provider was opened with an `uploadsFolder`.
    ///
    /// - Parameters:
    ///   - localFile: The file's URL.
    ///   - target: Its path at Dropbox, name included.
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
        guard identity.size > Self.largestRequest else {
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
        let driver = DropboxUploadDriver(self, commit, isConcurrent: false, sent: source.body)
        // The same path is another file where paths begin elsewhere.
        let root = self.options.pathRoot == .home ? "" : self.options.pathRoot.text
        let account = credential?.user ?? credential?.fingerprint ?? ""
        let session = UploadSession(
            driver,
            path: commit.path,
            key: "\(account)@\(Self.type)\(root)\(DropboxPath.key(commit.path))",
            store: uploads,
            policy: retryPolicy,
            clock: connection.clock,
            now: connection.now
        )
        _ = try await session.upload(source, reporting: progress)
        progress?.finish()
    }
}
