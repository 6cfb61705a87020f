public import FerryCore
import FerryHTTP
import Foundation
public import NIOCore
import Synchronization

extension NextcloudFileProvider: FileProviderPartialWriting {
    /// Chunks that a server takes of one upload, with some to spare.
    private static let mostChunks: Int64 = 9_000
    /// The numbers that chunks can have.
    private static let chunkNumbers = 1...10_000
    /// Bytes that a chunk can have at all.
    private static let largestChunk: Int64 = 5 << 30

    /// Chunks of 8 MiB, more of large files, several at a time.
    ///
    /// - Parameter length: Bytes of the whole file.
    /// - Returns: How parts must be; `nil` at a server that takes no chunks, or not so many.
    /// - Throws: Nothing.
    public func partialWriteLimits(length: Int64) async throws -> PartialWriteLimits? {
        guard facts.takesChunks else { return nil }
        let most = min(facts.maximumChunkSize ?? (100 << 20), Self.largestChunk)
        let mebibyte: Int64 = 1 << 20
        let wanted = max(8 * mebibyte, (length / Self.mostChunks / mebibyte + 1) * mebibyte)
        let size = min(wanted, most)
        guard size > 0, length / size < Self.mostChunks else { return nil }
        return PartialWriteLimits(
            partSize: size,
            alignment: size,
            parallelism: min(4, facts.parallelChunks ?? 2)
        )
    }

    /// Begins a chunked upload.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - length: Bytes in all.
    ///   - options: The conditions for replacing a file.
    ///   - note: Called with the record that will lead back to it, before there is an upload.
    /// - Returns: The record that leads back to it, for the better part of a day: then servers forget uploads.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``.
    public func beginPartialWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite {
        guard let limits = try await partialWriteLimits(length: length) else {
            throw CocoaError.unsupported("writing files in parts", path: path)
        }
        guard !path.isRoot else { throw CocoaError.itemExists(path) }
        let path = try await located(toWrite: path)
        let driver = try await driver(path, length, options)
        let session = driver.makeSession(size: length)
        let write = PartialWrite(
            path: path,
            length: length,
            limits: limits,
            values: ["id": session.id],
            expires: session.expires
        )
        try await note(write)
        try await driver.begin(session)
        return write
    }

    /// Sends a chunk, of which the server says the checksum if it can.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - offset: Where the part begins: at a multiple of the parts' size.
    ///   - contents: The bytes, iterated once, from the calling task.
    ///   - length: Bytes of the part.
    ///   - wrote: Called with the length at the end.
    /// - Throws: `PartialWriteLostError`; `DamagedPartError`; what the server says; what `contents` throws.
    public func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        let (session, size) = try session(of: write)
        let expected = min(size, write.length - offset)
        guard offset >= 0, offset % size == 0, length == expected else {
            throw URLError.wrongLength(expected: expected, received: length)
        }
        let piece = UploadPiece(number: Int(offset / size) + 1, range: offset..<offset + length)
        let driver = try uncheckedDriver(write.path, write.length)
        // Until the server has said otherwise of what is sent now.
        comparedChunks.withLock { _ = $0[session.id]?.remove(piece.number) }
        let receipt = Mutex<String?>(nil)
        try await write.reportingLoss {
            _ = try await UploadPump.send(contents, length: length, reporting: nil) { body in
                let (reply, told) = try await driver.sendOnce(piece, body: body, to: session)
                receipt.withLock { $0 = told }
                return reply
            }
        }
        if receipt.withLock({ $0 != nil }) {
            comparedChunks.withLock { _ = $0[session.id, default: []].insert(piece.number) }
        }
        wrote(length)
    }

    /// The chunks that the server has whole.
    ///
    /// - Parameter write: The write that was begun.
    /// - Returns: Their ranges, in order.
    /// - Throws: `PartialWriteLostError` when the server has forgotten the upload; errors of the connection.
    public func writtenRanges(of write: PartialWrite) async throws -> [Range<Int64>] {
        let (session, size) = try session(of: write)
        let driver = try uncheckedDriver(write.path, write.length)
        guard case .parts(let parts)? = try await driver.acknowledged(in: session) else {
            throw PartialWriteLostError(path: write.path)
        }
        var written = RangeSet<Int64>()
        for (number, length) in parts where Self.chunkNumbers.contains(number) {
            let start = Int64(number - 1) * size
            let end = min(start + size, write.length)
            if start < end, length == end - start { written.insert(contentsOf: start..<end) }
        }
        return Array(written.ranges)
    }

    /// Chunks were compared when they were sent.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - range: Some of the bytes.
    /// - Returns: `nil`.
    /// - Throws: Nothing.
    public func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String? { nil }

    /// Has the server put the file together, in one step for all who look.
    ///
    /// - Parameters:
    ///   - write: The write that was begun; all of its bytes were written.
    ///   - options: The conditions for replacing a file, and the date to set.
    /// - Returns: The file as the server reports it; with the checksum of what it has, if this process has not compared
    ///   all of it.
    /// - Throws: `PartialWriteLostError`; as ``writeStream(path:contents:length:options:reporting:)``.
    @discardableResult
    public func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        let (session, size) = try session(of: write)
        let written = try await writtenRanges(of: write).reduce(0) { $0 + Int64($1.count) }
        guard written == write.length else { throw URLError.wrongLength(expected: write.length, received: written) }
        let plan = try await plan(path: write.path, length: write.length, options: options)
        let driver = driver(write.path, plan)
        var file = try await write.reportingLoss {
            try await driver.finish(session, pieces: [], size: write.length)
        }
        let compared = comparedChunks.withLock { $0.removeValue(forKey: session.id)?.count ?? 0 }
        if Int64(compared) * size < write.length, let eTag = file?.eTag,
            let sum = try await storedChecksum(of: write.path, eTag: eTag)
        {
            file?.extras[.checksums] = [.sha256: sum]
        }
        try await setOldDate(plan, of: write.path)
        return file
    }

    /// Has the server forget the upload, which it does by itself after a day.
    ///
    /// - Parameter write: The write that was begun.
    /// - Throws: The error that keeps it from being removed.
    public func discardPartialWrite(_ write: PartialWrite) async throws {
        // A record that is none of ours leads to nothing that could be removed.
        guard let (session, _) = try? session(of: write) else { return }
        comparedChunks.withLock { $0[session.id] = nil }
        try await uncheckedDriver(write.path, write.length).discard(session)
    }

    // MARK: The upload behind it

    /// Returns the upload that a record leads to, and the size of its parts: the record is checked, since its text becomes
    /// part of a path.
    private func session(of write: PartialWrite) throws -> (UploadSessionHandle, Int64) {
        guard let id = write.values["id"], NextcloudUploadDriver.uuid(in: id) != nil, let size = write.limits.partSize,
            size > 0, size <= Self.largestChunk
        else { throw PartialWriteLostError(path: write.path) }
        return (UploadSessionHandle(id: id, values: ["size": String(write.length)], expires: write.expires), size)
    }

    private func driver(_ path: ItemPath, _ plan: NextcloudWritePlan) -> NextcloudUploadDriver {
        // No checksum of the whole is asked for: each chunk was compared by itself.
        NextcloudUploadDriver(self, path: path, plan: plan, limits: streamLimits, checksum: .readAgain { "" })
    }

    private func driver(_ path: ItemPath, _ length: Int64, _ options: WriteOptions) async throws
        -> NextcloudUploadDriver
    {
        driver(path, try await plan(path: path, length: length, options: options))
    }

    /// A driver for what depends on no condition.
    private func uncheckedDriver(_ path: ItemPath, _ length: Int64) throws -> NextcloudUploadDriver {
        let plan = try NextcloudWritePlan(
            path: path,
            length: length,
            options: WriteOptions(overwrite: true),
            state: nil,
            takesChunks: true,
            now: connection.now()
        )
        return driver(path, plan)
    }
}
