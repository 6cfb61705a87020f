public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes
import Synchronization

extension NextcloudFileProvider {
    /// Chunks that can't be read again are held in memory while they are sent, so they are small; not below 5 MiB, which
    /// servers that keep their files in S3 can't take.
    var streamLimits: UploadPieceLimits {
        limits(first: 5 << 20, most: 8 << 20, parallelism: 2)
    }

    /// Chunks of a file of this machine are read as they are sent.
    var fileLimits: UploadPieceLimits {
        limits(first: 10 << 20, most: 100 << 20, parallelism: 3)
    }

    private func limits(first: Int64, most: Int64, parallelism: Int) -> UploadPieceLimits {
        let most = min(most, facts.maximumChunkSize ?? most)
        return UploadPieceLimits(
            minimumSize: min(5 << 20, most),
            maximumSize: most,
            firstSize: min(first, most),
            maximumCount: 10_000,
            parallelism: min(parallelism, facts.parallelChunks ?? 1),
            targetDuration: .seconds(10)
        )
    }

    /// Uploads a file of this machine, with its modified date.
    ///
    /// A large one goes in chunks. What was sent before a cut is not sent again: with an `uploadsFolder`, the upload goes on
    /// where it was, when the same file is uploaded to the same place again.
    ///
    /// - Parameters:
    ///   - localFile: The file's URL.
    ///   - target: Its path on the server, name included.
    ///   - overwrite: `true` if a file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: See ``/FerryCore/FileProviderOperations``.
    public func copyItem(
        localFile: URL,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let source = try LocalUploadSource(localFile)
        let identity = try await source.identity()
        let target = try await located(toWrite: target)
        guard facts.takesChunks, identity.size > NextcloudFileProvider.largeSize else {
            return try await files.copyItem(
                localFile: localFile,
                to: target,
                overwrite: overwrite,
                reporting: progress
            )
        }
        try progress.checkCancellation()
        guard !target.isRoot else { throw CocoaError.itemExists(target) }
        let options = WriteOptions(overwrite: overwrite, modifiedDate: identity.modifiedDate)
        let plan = try await plan(path: target, length: identity.size, options: options)
        let driver = NextcloudUploadDriver(
            self,
            path: target,
            plan: plan,
            limits: fileLimits,
            checksum: .readAgain { try await source.sha256() }
        )
        let session = UploadSession(
            driver,
            path: target,
            key: "\(userID)@\(place.origin.url(connection.target(target, isFolder: false)))",
            store: uploads,
            clock: connection.clock
        )
        _ = try await session.upload(source, reporting: progress)
        try await setOldDate(plan, of: target)
        progress?.finish()
    }

    // MARK: Cleaning up

    /// Removes what was sent of an upload that nobody will go on with.
    ///
    /// - Parameter target: The path of its folder, percent-encoded. What can't be removed now is removed before the next
    ///   upload; and the server forgets it by itself after a day.
    func removeUpload(_ target: String) async {
        do {
            try await discardUpload(target)
        } catch {
            // It is remembered.
        }
    }

    /// Removes what was sent of an upload, as ``removeUpload(_:)``, for who wants to know whether that was possible.
    ///
    /// - Parameter target: The path of its folder, percent-encoded.
    /// - Throws: The error that keeps it from being removed.
    func discardUpload(_ target: String) async throws {
        do {
            try await perform(.delete, target, about: .root)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // It is gone already.
        } catch {
            abandonedUploads.withLock { _ = $0.insert(target) }
            throw error
        }
    }

    /// Removes what earlier uploads could not remove, because their line was broken, and, once, what processes of this
    /// machine have left that were killed.
    func removeAbandonedUploads() async {
        if looksForUploads.exchange(false, ordering: .relaxed) { await removeUploadsOfTheDead() }
        let targets = abandonedUploads.withLock { targets in
            defer { targets = [] }
            return targets
        }
        for target in targets { await removeUpload(target) }
    }

    private func removeUploadsOfTheDead() async {
        let home = place.target("uploads", userID)
        let found: [MultistatusEntry]
        do {
            found = try await entries(at: home, depth: .members, [WebDAVPropertyName("resourcetype")], about: .root)
        } catch {
            return  // They are in nobody's way, and the server forgets them after a day.
        }
        for entry in found {
            guard let name = Self.lastName(of: entry.hrefText), let id = NextcloudUploadDriver.uuid(in: name),
                TemporaryWriter(id)?.isDead == true
            else { continue }
            await removeUpload(home + "/" + name)
        }
    }
}
