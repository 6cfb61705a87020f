public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes
public import NIOCore

extension OneDriveFileProvider {
    /// Writes a file from chunks as they come, with one request or with an upload session.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand: then a temporary file of this machine collects
    ///     what is more than 1 MiB, as the service must be told the length.
    ///   - options: The condition for replacing, and the date.
    ///   - progress: Bytes.
    /// - Returns: The file as the service describes it; its checksum was compared with what was sent.
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

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - contents: The chunks.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - commit: The way in which the content becomes a file.
    ///   - progress: Bytes.
    /// - Returns: The file.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``.
    func write<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        _ commit: OneDriveCommit,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        guard let length else {
            return try await withSpooledContents(of: contents, reporting: progress) { chunks, length in
                try await write(chunks, length: length, commit, reporting: progress)
            }
        }
        progress?.announceTransfer(of: length)
        // A request without a session takes no date, and setting it afterwards would make another version.
        let isSimple = length == 0 || length <= OneDriveUpload.largestRequest && commit.fileSystemInfo == .null
        let file =
            isSimple
            ? try await upload(contents, length: length, commit, reporting: progress)
            : try await uploadInFragments(contents, length: length, commit, reporting: progress)
        await removeVersions(of: file, after: commit)
        progress?.finish()
        return file
    }

    // MARK: Before anything is sent

    /// Refuses what must fail before its bytes are sent.
    ///
    /// - Parameters:
    ///   - path: The file; an identifier leads to it too.
    ///   - length: Bytes in all, if known.
    ///   - options: The condition for replacing, and the date.
    ///   - keepsBoth: A Boolean value that indicates whether the file gets another name if its own is taken.
    /// - Returns: The way in which the content becomes a file.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile`, `PreconditionFailedError`.
    func commit(
        path: ItemPath,
        length: Int64?,
        options: WriteOptions,
        keepsBoth: Bool = false
    ) async throws -> OneDriveCommit {
        if path.isRoot { throw CocoaError.itemExists(path) }
        if let length, length > OneDriveUpload.largestFile {
            throw CocoaError.file(
                .fileWriteOutOfSpace,
                path: path,
                description: "a file here can't be larger than \(OneDriveUpload.largestFile) bytes"
            )
        }
        if path.isIdentifier || options.ifMatch != nil {
            return try await commit(replacing: path, options: options)
        }
        let folder = try await folder(at: path.parent)
        return OneDriveCommit(
            path: path,
            address: folder.address.appending(try await serverName(path.lastName)),
            foreignDriveID: folder.foreignDriveID,
            options: options,
            keepsBoth: keepsBoth
        )
    }

    /// Looks at a file that must be there, and is addressed by its identifier from then on.
    private func commit(replacing path: ItemPath, options: WriteOptions) async throws -> OneDriveCommit {
        if path.revision != nil { throw CocoaError.unsupported("writing to a revision", path: path) }
        do {
            let (item, place) = try await graphFile(at: path)
            guard item.kind == .file else { throw CocoaError.itemExists(path) }
            if let tag = options.ifMatch, item.eTag != tag { throw PreconditionFailedError(path: path) }
            guard options.overwrite || options.ifMatch != nil else { throw CocoaError.itemExists(path) }
            return OneDriveCommit(
                path: path,
                address: GraphAddress(drive: place.address.drive, id: item.id),
                foreignDriveID: place.foreignDriveID,
                options: options
            )
        } catch let error as OneDriveError {
            guard error.reason == .noSuchItem, options.ifMatch != nil, !path.isIdentifier else {
                throw error.mapped(whileWriting: true)
            }
            _ = try await folder(at: path.parent)
            throw PreconditionFailedError(path: path)
        }
    }

    /// Refuses a target that can't be written, where much would be sent in vain.
    ///
    /// - Parameter commit: The way in which the content is to become a file.
    /// - Throws: `CocoaError.fileWriteFileExists`.
    func checkExisting(_ commit: OneDriveCommit) async throws {
        guard commit.address.isByPath, commit.conflict != .rename else { return }
        guard let existing = try await attributesIfExists(path: commit.path) else { return }
        if existing.isDirectory || commit.conflict == .fail { throw CocoaError.itemExists(commit.path) }
    }

    /// Returns the error that callers see when a file can't be written; the service has many words for a folder that is
    /// in the way.
    ///
    /// - Parameters:
    ///   - error: The refusal.
    ///   - commit: The way in which the content was to become a file.
    /// - Returns: An error of the table.
    func explained(_ error: OneDriveError, _ commit: OneDriveCommit) async -> any Error {
        let refusal = commit.refusal(error)
        guard commit.address.isByPath, commit.conflict == .replace else { return refusal }
        switch error.reason {
        case .status where (400..<500).contains(error.answeredStatusCode): break
        case .unsupported, .notAllowed, .exists: break
        default: return refusal
        }
        // Only an explanation is looked for: the refusal stands without it.
        guard let existing = try? await attributesIfExists(path: commit.path), existing.isDirectory else {
            return refusal
        }
        return CocoaError.itemExists(commit.path, underlying: error)
    }

    // MARK: One request

    /// Writes a file that is held in memory, so that it can be sent again.
    private func upload<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64,
        _ commit: OneDriveCommit,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        let bytes = try await Self.collect(contents, length: length, reporting: progress)
        let hash = OneDriveContentHash()
        hash.pass(bytes)
        let sum = hash.finish()
        var request = try commit.contentRequest(connection)
        request.body = HTTPRequestBody(bytes)
        do {
            let file = try await withCancellation(by: progress) { [request] in
                try await self.connection.onceOnly(repeats: !commit.keepsBoth) {
                    let data = try await self.connection.answer(to: request, about: commit.path).body
                    let item = try GraphConnection.decoded(GraphItem.self, from: data)
                    let file = try await self.verified(item, hash: sum, size: length, commit)
                    return try await self.withDate(file, commit)
                } outcome: {
                    guard let file = try await self.storedFile(commit, size: length, isDated: false, hash: { sum })
                    else { return nil }
                    return try await self.withDate(file, commit)
                }
            }
            progress?.completedUnitCount += length
            return file
        } catch let error as OneDriveError {
            throw await explained(error, commit)
        }
    }

    private static func collect<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64,
        reporting progress: Progress?
    ) async throws -> ByteBuffer where Contents.Element == ByteBuffer {
        var bytes = ByteBuffer()
        for try await chunk in contents {
            try progress.checkCancellation()
            let received = Int64(bytes.readableBytes + chunk.readableBytes)
            guard received <= length else { throw URLError.wrongLength(expected: length, received: received) }
            if bytes.readableBytes == 0 { bytes = chunk } else { bytes.writeImmutableBuffer(chunk) }
        }
        let received = Int64(bytes.readableBytes)
        guard received == length else { throw URLError.wrongLength(expected: length, received: received) }
        return bytes
    }

    /// Gives a file that was written without its date that date.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - commit: The way in which it was written, with the date.
    /// - Returns: The file with its date.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func withDate(_ file: FileObject, _ commit: OneDriveCommit) async throws -> FileObject {
        guard commit.fileSystemInfo != .null, let id = file.id else { return file }
        var fields = HTTPFields()
        fields[.ifMatch] = file.eTag
        do {
            let dated = try await connection.call(
                .patch,
                GraphAddress(drive: commit.address.drive, id: OneDriveItemID(id).item).route(),
                ["fileSystemInfo": commit.fileSystemInfo],
                as: GraphItem.self,
                about: commit.path,
                fields: fields,
                isIdempotent: true
            )
            return try fileObject(dated, at: commit.path, foreignDriveID: commit.foreignDriveID)
        } catch let error as OneDriveError where error.reason == .changed {
            // Somebody has written it meanwhile, or an answer was lost: its date is another matter.
            return try await attributesOfItem(path: file.path)
        }
    }

    // MARK: With a session

    private func uploadInFragments<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64,
        _ commit: OneDriveCommit,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        // Otherwise the conflict is reported only after the whole upload.
        if length > OneDriveUpload.limits(isStream: true).firstSize { try await checkExisting(commit) }
        let hash = OneDriveContentHash()
        let driver = OneDriveUploadDriver(self, commit, size: length, isStream: true) { hash.finish() }
        let session = UploadSession(driver, path: commit.path, policy: retryPolicy, clock: connection.clock)
        let file = try await session.upload(contents.map { hash.pass($0) }, length: length, reporting: progress)
        guard let file else {
            throw URLError.answer(.cannotParseResponse, description: "the service does not say what it has stored")
        }
        return file
    }
}
