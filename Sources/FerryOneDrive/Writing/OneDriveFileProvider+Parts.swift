public import FerryCore
import FerryHTTP
import Foundation
public import NIOCore

extension OneDriveFileProvider: FileProviderPartialWriting {
    private static let partLimits = PartialWriteLimits(alignment: OneDriveUpload.alignment)

    /// The rule for parts: each begins where the last one ended, at a multiple of 320 KiB.
    ///
    /// - Parameter length: Bytes of the whole file.
    /// - Returns: `nil` for what is larger than a file can be.
    /// - Throws: Nothing.
    public func partialWriteLimits(length: Int64) async throws -> PartialWriteLimits? {
        length <= OneDriveUpload.largestFile ? Self.partLimits : nil
    }

    /// Begins to write a file with an upload session.
    ///
    /// The session's address lets anybody write: it stays in the store of uploads, and the record only names it.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - length: Bytes in all, at least 1.
    ///   - options: The condition for replacing, and the date.
    ///   - note: Called with what leads back to the session, which has no bytes then and is seen nowhere.
    /// - Returns: The record that leads back to the session.
    /// - Throws: As a write does; what `note` throws.
    public func beginPartialWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite {
        let commit = try await commit(path: path, length: length, options: options)
        try await checkExisting(commit)
        try await uploads.removeExpired(at: connection.now())
        let upload = try await OneDrivePartialUpload(self, commit, length: length)
        let id = UUID().uuidString
        let write = PartialWrite(
            path: commit.path,
            length: length,
            limits: Self.partLimits,
            values: ["upload": id],
            expires: upload.session.expires
        )
        do {
            let source = UploadSourceIdentity(name: id, size: length)
            try await uploads.save(UploadSessionRecord(source: source, session: upload.session), for: Self.key(id))
            try await note(write)
        } catch {
            await uncancelled {
                await self.forget(upload.session, about: commit.path)
                // A record that stays in the store leads to nothing, and goes when the session would have expired.
                try? await self.uploads.save(nil, for: Self.key(id))
            }
            throw error
        }
        partialUploads.add(upload, id, now: connection.now())
        return write
    }

    /// Writes a part; of bytes that the service has already, none is sent.
    ///
    /// The last bytes of the file, up to 10 MiB, are held until it is finished.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - offset: The start of the part: where the last one ended, or before.
    ///   - contents: The bytes.
    ///   - length: Bytes of the part.
    ///   - wrote: Called with the number of bytes that the service has confirmed since the last call.
    /// - Throws: `PartialWriteLostError`; `URLError.wrongLength(expected:received:)`; what `contents` throws.
    public func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        try await with(write) { try await $0.add(contents, at: offset..<offset + length, wrote: wrote) }
    }

    /// Returns what the service has of a write.
    ///
    /// - Parameter write: The write that was begun.
    /// - Returns: One range from the start, or none.
    /// - Throws: `PartialWriteLostError`.
    public func writtenRanges(of write: PartialWrite) async throws -> [Range<Int64>] {
        let end = try await with(write) { try await $0.confirmed() }
        return end > 0 ? [0..<end] : []
    }

    /// Returns `nil`: the service tells no checksum of what is not a file yet.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - range: Some of the bytes.
    /// - Returns: `nil`.
    /// - Throws: Nothing.
    public func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String? { nil }

    /// Gives the file its name, with the condition and the date with which the write was begun.
    ///
    /// - Parameters:
    ///   - write: The write that was begun; all of its bytes were written.
    ///   - options: The condition for replacing, and the date.
    /// - Returns: The file.
    /// - Throws: `PartialWriteLostError`; `URLError.wrongLength(expected:received:)`; as a write does.
    @discardableResult
    public func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        let commit = try await commit(path: write.path, length: write.length, options: options)
        let file = try await with(write) { try await $0.finish(commit) }
        await forget(write)
        if let file { await removeVersions(of: file, after: commit) }
        return file
    }

    /// Lets the service forget what was sent.
    ///
    /// - Parameter write: The write that was begun.
    /// - Throws: Errors of the store.
    public func discardPartialWrite(_ write: PartialWrite) async throws {
        guard let id = write.values["upload"] else { return }
        let known = partialUploads.upload(id, now: connection.now())?.session
        let session = if let known { known } else { try await uploads.record(for: Self.key(id))?.session }
        // One that is not known is gone already.
        if let session { await forget(session, about: write.path) }
        await forget(write)
    }

    // MARK: The session behind it

    private static func key(_ id: String) -> String { "part \(id)" }

    /// Works on the upload behind a record, which an earlier process may have begun.
    private func with<Result>(
        _ write: PartialWrite,
        _ body: (OneDrivePartialUpload) async throws -> Result
    ) async throws -> Result {
        do {
            let (id, upload) = try await upload(of: write)
            partialUploads.begin(id)
            defer { partialUploads.end(id, now: connection.now()) }
            return try await body(upload)
        } catch let error as UploadSessionLostError {
            await forget(write)
            throw PartialWriteLostError(path: write.path, underlying: error.underlying)
        }
    }

    private func upload(of write: PartialWrite) async throws -> (id: String, upload: OneDrivePartialUpload) {
        guard let id = write.values["upload"] else { throw UploadSessionLostError() }
        if let upload = partialUploads.upload(id, now: connection.now()) { return (id, upload) }
        guard let record = try await uploads.record(for: Self.key(id)), record.source.size == write.length,
            !record.session.isExpired(at: connection.now())
        else { throw UploadSessionLostError() }
        // Until the end only the path counts, for errors.
        let commit = OneDriveCommit(
            path: write.path,
            address: GraphAddress(drive: "", id: ""),
            foreignDriveID: nil,
            options: WriteOptions()
        )
        let upload = try await OneDrivePartialUpload(
            self,
            commit,
            length: write.length,
            goingOnWith: record.session
        )
        return (id, partialUploads.add(upload, id, now: connection.now()))
    }

    private func forget(_ write: PartialWrite) async {
        guard let id = write.values["upload"] else { return }
        partialUploads.remove(id)
        // A record that stays leads to nothing, and goes when the session would have expired.
        await uncancelled { try? await self.uploads.save(nil, for: Self.key(id)) }
    }
}
