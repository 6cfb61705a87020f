public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes
public import NIOCore

extension DropboxFileProvider {
    /// Bytes that are sent with one request at most; more goes in parts, several at the same time.
    static let largestRequest: Int64 = 32 << 20

    /// Writes a file from chunks as they come, with one request or with an upload session.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The condition for replacing, and the date.
    ///   - progress: Bytes.
    /// - Returns: The file as Dropbox describes it; its content hash was compared with what was sent.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile`, `PreconditionFailedError`,
    ///   `URLError.wrongLength(expected:received:)`; what `contents` throws.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try progress.checkCancellation()
        let commit = try await commit(path: path, length: length, options: options)
        return try await write(contents, length: length, commit, reporting: progress)
    }

    /// Writes a file from chunks as they come.
    ///
    /// - Parameters:
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - commit: How the content becomes a file; what must fail before bytes are sent has failed.
    ///   - progress: Bytes.
    /// - Returns: The file.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``.
    func write<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        _ commit: DropboxCommit,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        progress?.announceTransfer(of: length)
        let file =
            if let length, length <= Self.largestRequest {
                try await upload(contents, length: length, commit, reporting: progress)
            } else {
                try await uploadInParts(contents, length: length, commit, reporting: progress)
            }
        progress?.finish()
        return file
    }

    // MARK: Before anything is sent

    /// Refuses what must fail before its bytes are sent.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - length: Bytes in all, if known.
    ///   - options: How it is to be written.
    /// - Returns: How the content becomes a file.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile`, `.fileWriteInvalidFileName`.
    func commit(path: ItemPath, length: Int64?, options: WriteOptions) async throws -> DropboxCommit {
        if path.isRoot { throw CocoaError.itemExists(path) }
        let path = try await pathFromRoot(path)
        try checkName(of: path)
        if let length, length > DropboxUploadDriver.largestFile {
            throw CocoaError.file(
                .fileWriteOutOfSpace,
                path: path,
                description: "a file here can't be larger than \(DropboxUploadDriver.largestFile) bytes"
            )
        }
        let commit = DropboxCommit(path: path, options: options)
        try commit.checkCondition()
        try await requireFolder(path.parent)
        return commit
    }

    /// Refuses a name that Dropbox can't have.
    ///
    /// - Parameter path: The item.
    /// - Throws: `CocoaError.fileWriteInvalidFileName`.
    func checkName(of path: ItemPath) throws {
        if path.isIdentifier { throw CocoaError.unsupported("writing to an identifier", path: path) }
        if let excess = DropboxPath.excess(of: path) {
            throw CocoaError.file(
                .fileWriteInvalidFileName,
                path: path,
                description: excess,
                suggestion: "choose a shorter one"
            )
        }
    }

    /// Makes sure that a folder is there: Dropbox would make it on the way.
    ///
    /// - Parameter path: The folder.
    /// - Throws: `CocoaError.fileNoSuchFile`; `CocoaError.notAFolder(_:whileWriting:)`.
    func requireFolder(_ path: ItemPath) async throws {
        if path.isRoot || folders.contains(path) { return }
        let folder = try await attributesOfItem(path: path)
        guard folder.isDirectory else { throw CocoaError.notAFolder(path, whileWriting: true) }
        folders.note(path)
    }

    // MARK: One request

    private func upload<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64,
        _ commit: DropboxCommit,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        let hash = RunningContentHash()
        let before = progress?.completedUnitCount ?? 0
        do {
            let reply = try await UploadPump.send(
                contents.map { hash.pass($0) },
                length: length,
                reporting: progress
            ) { body in
                switch try await self.send(body, commit) {
                case .answered(let reply): return reply
                case .stored(let file): throw StoredAlready(file: file)
                }
            }
            let data = try await reply.body.collect(upTo: 1 << 20)
            let metadata = try DropboxConnection.decoded(DropboxMetadata.self, from: data)
            return try await verified(metadata, hash: hash.finish(), size: length, commit)
        } catch let stored as StoredAlready {
            progress?.completedUnitCount = before + length
            return stored.file
        } catch {
            progress?.completedUnitCount = before
            if let error = error as? DropboxError {
                guard error.reason == .busy, hash.count == length, let id = error.details["upload_session_id"].string
                else { throw commit.refusal(error) }
                // Dropbox has the content: it need not be sent again to become a file later.
                let driver = DropboxUploadDriver(self, commit, isConcurrent: false)
                let session = UploadSessionHandle(id: id)
                let file = try await driver.finish(session, size: length, hash: hash.finish())
                progress?.completedUnitCount = before + length
                return file
            }
            guard !commit.keepsBoth, error.mayHaveBeenDone, hash.count == length,
                let file = try await stored(commit, hash: hash.finish(), after: error)
            else { throw error }
            progress?.completedUnitCount = before + length
            return file
        }
    }

    /// The file was written by a request whose answer was lost.
    private struct StoredAlready: Error {
        let file: FileObject
    }

    /// The outcome of an upload.
    private enum Sent: Sendable {
        /// Dropbox has answered that the file is written.
        case answered(HTTPReply)
        /// The answer was lost, and the file is there.
        case stored(FileObject)
    }

    private func send(_ body: HTTPRequestBody, _ commit: DropboxCommit) async throws -> Sent {
        var argument = commit.members
        // Then a content that was damaged on its way never becomes a file.
        let hash = try await smallHash(of: body)
        if let hash { argument["content_hash"] = .text(hash) }
        var request = try await connection.contentRequest(
            .upload,
            .object(argument),
            isUpload: true,
            isIdempotent: commit.isRepeatable && body.isReplayable
        )
        request.body = body
        guard let hash else { return .answered(try await sendOnce(request, commit)) }
        if commit.keepsBoth { return .answered(try await connection.patiently { try await sendOnce(request, commit) }) }
        return try await connection.onceOnly {
            try await connection.patiently { .answered(try await sendOnce(request, commit)) }
        } outcome: {
            guard let file = try await attributesIfExists(path: commit.path), isStored(file, commit, hash: hash) else {
                return nil
            }
            return .stored(file)
        }
    }

    private func sendOnce(_ request: HTTPFileRequest, _ commit: DropboxCommit) async throws -> HTTPReply {
        let reply = try await connection.send(request, about: commit.path)
        guard reply.status.kind == .successful else {
            throw try await connection.refusal(reply, about: commit.path)
        }
        return reply
    }

    private func smallHash(of body: HTTPRequestBody) async throws -> String? {
        guard body.isReplayable, let length = body.length, length <= Int64(UploadPump.smallSize) else { return nil }
        return try await ContentBlocks().hash(of: body, at: 0)
    }

    // MARK: In parts

    private func uploadInParts<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        _ commit: DropboxCommit,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        // Else that would come out after all parts only.
        try await checkExisting(commit)
        let driver = DropboxUploadDriver(self, commit, isConcurrent: true)
        let session = UploadSession(driver, path: commit.path, policy: retryPolicy, clock: connection.clock)
        let file = try await session.upload(contents, length: length, reporting: progress)
        guard let file else {
            throw URLError.answer(.cannotParseResponse, about: commit.path, description: "Dropbox names no file")
        }
        return file
    }

    /// Refuses a target that can't be written, where much would be sent in vain.
    ///
    /// - Parameter commit: How the content is to become a file.
    /// - Throws: `CocoaError.fileWriteFileExists`; `PreconditionFailedError`.
    func checkExisting(_ commit: DropboxCommit) async throws {
        if commit.keepsBoth { return }
        let existing = try await attributesIfExists(path: commit.path)
        if let rev = commit.options.ifMatch {
            guard existing?.eTag == rev else { throw PreconditionFailedError(path: commit.path) }
        } else if let existing, existing.isDirectory || !commit.options.overwrite {
            throw CocoaError.itemExists(commit.path)
        }
    }
}
