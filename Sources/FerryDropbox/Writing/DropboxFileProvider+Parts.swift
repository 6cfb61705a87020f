public import FerryCore
import FerryHTTP
import Foundation
public import NIOCore
import Synchronization

extension DropboxFileProvider: FileProviderPartialWriting {
    /// Bytes that are sent with one request of a part, and held in memory until Dropbox has them, for each file under way.
    private static let pieceSize = 16 << 20

    /// The rule for parts: each begins where the last one ended.
    ///
    /// - Parameter length: Bytes of the whole file.
    /// - Returns: `nil` for what is larger than a file can be.
    /// - Throws: Nothing.
    public func partialWriteLimits(length: Int64) async throws -> PartialWriteLimits? {
        length <= DropboxUploadDriver.largestFile ? PartialWriteLimits() : nil
    }

    /// Begins to write a file with an upload session, which Dropbox keeps for a week.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - length: Bytes in all, at least 1.
    ///   - options: The condition for replacing.
    ///   - note: Called with the write that leads back to the session, which has no bytes then and is seen nowhere.
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
        let driver = DropboxUploadDriver(self, commit, isConcurrent: false)
        let session = try await driver.begin(size: length)
        let write = PartialWrite(
            path: commit.path,
            length: length,
            limits: PartialWriteLimits(),
            values: ["session": session.id],
            expires: session.expires
        )
        do {
            try await note(write)
        } catch {
            await uncancelled {
                // Dropbox forgets a session that nobody goes on with.
                try? await driver.close(session)
            }
            throw error
        }
        sentBlocks.withLock { $0[session.id] = ContentBlocks() }
        return write
    }

    /// Writes a part; of bytes that Dropbox has already, none is sent.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - offset: Where the part begins: where the last one ended, or before.
    ///   - contents: The bytes.
    ///   - length: Bytes of the part.
    ///   - wrote: Called with the number of bytes that Dropbox has since the last call.
    /// - Throws: `PartialWriteLostError`; `URLError.wrongLength(expected:received:)`; what `contents` throws.
    public func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        let session = try session(of: write)
        let driver = driver(write, WriteOptions(overwrite: true))
        let end = offset + length
        var position = offset
        var pending = ByteBuffer()
        var known: Int64?
        func flush() async throws {
            guard pending.readableBytes > 0 else { return }
            let bytes = pending
            pending = ByteBuffer()
            let range = position..<position + Int64(bytes.readableBytes)
            known = try await append(bytes, at: range, known: known, to: session, of: write, by: driver)
            position = range.upperBound
            wrote(Int64(range.count))
        }
        for try await chunk in contents {
            var rest = chunk
            let received = position + Int64(pending.readableBytes + rest.readableBytes)
            guard received <= end else { throw URLError.wrongLength(expected: length, received: received - offset) }
            while let part = rest.readSlice(
                length: min(rest.readableBytes, Self.pieceSize - pending.readableBytes)
            ), part.readableBytes > 0 {
                if pending.readableBytes == 0 { pending.reserveCapacity(min(Self.pieceSize, Int(end - position))) }
                pending.writeImmutableBuffer(part)
                if pending.readableBytes == Self.pieceSize { try await flush() }
            }
        }
        let received = position + Int64(pending.readableBytes) - offset
        guard received == length else { throw URLError.wrongLength(expected: length, received: received) }
        try await flush()
    }

    /// Sends bytes, or those of them that Dropbox lacks.
    ///
    /// - Returns: How far the session has come.
    private func append(
        _ bytes: ByteBuffer,
        at range: Range<Int64>,
        known: Int64?,
        to session: UploadSessionHandle,
        of write: PartialWrite,
        by driver: DropboxUploadDriver
    ) async throws -> Int64 {
        try await forgettingLoss(of: write) {
            var start = range.lowerBound
            var attempt = 1
            if let known, known > start { start = min(known, range.upperBound) }
            while start < range.upperBound {
                let rest = bytes.getSlice(
                    at: bytes.readerIndex + Int(start - range.lowerBound),
                    length: Int(range.upperBound - start)
                )
                do {
                    try await driver.send(
                        start..<range.upperBound,
                        HTTPRequestBody(rest ?? ByteBuffer()),
                        to: session,
                        closing: false
                    )
                    start = range.upperBound
                } catch let error as URLError {
                    guard let correct = error.refusalByDropbox?.correctOffset, attempt < 4 else { throw error }
                    // A gap can't be filled any more.
                    guard correct >= range.lowerBound else { throw UploadSessionLostError(underlying: error) }
                    attempt += 1
                    if correct >= range.upperBound { return correct }
                    start = correct
                }
            }
            return known.map { max($0, range.upperBound) } ?? range.upperBound
        }
    }

    /// Returns what Dropbox has of a write.
    ///
    /// - Parameter write: The write that was begun.
    /// - Returns: One range from the start, or none.
    /// - Throws: `PartialWriteLostError`.
    public func writtenRanges(of write: PartialWrite) async throws -> [Range<Int64>] {
        let session = try session(of: write)
        let driver = driver(write, WriteOptions(overwrite: true))
        guard case .bytes(let end)? = try await driver.acknowledged(in: session) else {
            return try await forgettingLoss(of: write) { throw PartialWriteLostError(path: write.path) }
        }
        return end > 0 ? [0..<end] : []
    }

    /// Returns `nil`: Dropbox tells no checksum of what is not a file yet.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - range: Some of the bytes.
    /// - Returns: `nil`.
    /// - Throws: Nothing.
    public func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String? { nil }

    /// Gives the file its name.
    ///
    /// - Parameters:
    ///   - write: The write that was begun; all of its bytes were written.
    ///   - options: The condition for replacing, and the date.
    /// - Returns: The file.
    /// - Throws: `PartialWriteLostError`; `URLError.wrongLength(expected:received:)`; as a write does.
    @discardableResult
    public func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        let session = try session(of: write)
        let written = try await writtenRanges(of: write).last?.upperBound ?? 0
        guard written == write.length else { throw URLError.wrongLength(expected: write.length, received: written) }
        // `nil` for a session of another process: the caller then compares the checksum.
        let hash = try await sentBlocks.withLock { $0[session.id] }?.hash(size: write.length)
        let driver = driver(write, options)
        let file = try await forgettingLoss(of: write) {
            try await driver.finish(session, size: write.length, hash: hash)
        }
        sentBlocks.withLock { $0[session.id] = nil }
        return file
    }

    /// Lets the session take no more; Dropbox then forgets it.
    ///
    /// - Parameter write: The write that was begun.
    /// - Throws: Errors of the connection.
    public func discardPartialWrite(_ write: PartialWrite) async throws {
        // A record that is none of ours leads to nothing that could be removed.
        guard let session = try? session(of: write) else { return }
        sentBlocks.withLock { $0[session.id] = nil }
        do {
            try await driver(write, WriteOptions(overwrite: true)).close(session)
        } catch is UploadSessionLostError {
            // It is gone already.
        }
    }

    // MARK: The session behind it

    private func session(of write: PartialWrite) throws -> UploadSessionHandle {
        guard let id = write.values["session"], !id.isEmpty else { throw PartialWriteLostError(path: write.path) }
        return UploadSessionHandle(id: id, expires: write.expires)
    }

    /// Does work on a session, and forgets its blocks if Dropbox has lost it.
    private func forgettingLoss<Value>(
        of write: PartialWrite,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await write.reportingLoss(body)
        } catch let error as PartialWriteLostError {
            if let id = write.values["session"] { sentBlocks.withLock { $0[id] = nil } }
            throw error
        }
    }

    private func driver(_ write: PartialWrite, _ options: WriteOptions) -> DropboxUploadDriver {
        DropboxUploadDriver(
            self,
            DropboxCommit(path: write.path, options: options),
            isConcurrent: false,
            blocks: write.values["session"].flatMap { id in sentBlocks.withLock { $0[id] } } ?? ContentBlocks()
        )
    }
}
