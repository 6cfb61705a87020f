public import FerryCore
import Foundation
public import NIOCore

/// Files in parts: each is put behind the one before (`APPE`), or over what broke off (`REST` and `STOR`), under a
/// temporary name that is renamed in the end.
extension FTPFileProvider: FileProviderPartialWriting {
    private static let limits = PartialWriteLimits(parallelism: 1, tellsSizeOnly: true)
    private static let nameKey = "name"

    /// Parts of any length, one after the other.
    ///
    /// - Parameter length: Bytes of the whole file.
    /// - Returns: How parts must be.
    /// - Throws: Nothing.
    public func partialWriteLimits(length: Int64) async throws -> PartialWriteLimits? { Self.limits }

    /// Begins to write a file.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - length: Bytes in all, at least 1.
    ///   - options: The permission to replace a file.
    ///   - note: Called with the record of the temporary name before that is used.
    /// - Returns: The record that leads back to the write.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``.
    public func beginPartialWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite {
        if path.isRoot { throw CocoaError.itemExists(path) }
        if options.ifMatch != nil { throw CocoaError.unsupported("writing on a condition", path: path) }
        guard try server.path(of: path).isTransferable else { throw Self.controlCharacters(path) }
        let name = TemporaryName.make(UUID())
        let write = PartialWrite(path: path, length: length, limits: Self.limits, values: [Self.nameKey: name])
        let temporary = path.parent.appending(name)
        try await call(path) { try $0.requireWritable(path, options) }
        try await note(write)
        do {
            try await call(path, isWriting: true) { session in
                do {
                    try session.store(try session.server.path(of: temporary), length: 0) { _ in 0 }
                } catch let failure as FTPFailure {
                    throw try session.explained(failure, writing: path)
                }
            }
        } catch {
            await uncancelled { try? await self.discardPartialWrite(write) }
            throw error
        }
        return write
    }

    /// Writes a part.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - offset: Where the part begins: at most where the last byte ends.
    ///   - contents: The bytes, iterated once, from the calling task.
    ///   - length: Bytes of the part.
    ///   - wrote: Called with the number of bytes stored since the last call, also if the part then breaks off.
    /// - Throws: `PartialWriteLostError`, `URLError.wrongLength(expected:received:)`; what `contents` throws.
    public func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        let temporary = try Self.temporary(of: write)
        let before = try await size(of: write)
        guard offset <= before else { throw PartialWriteLostError(path: write.path) }
        let pipe = FTPPipe()
        async let sent: Void = storePart(temporary, of: write, offset: offset, size: before, length: length, from: pipe)
        let fed: Result<Void, any Error>
        do {
            for try await chunk in contents { guard await pipe.send(chunk) else { break } }
            try Task.checkCancellation()
            fed = .success(())
        } catch {
            fed = .failure(error)
        }
        pipe.finish(fed)
        do {
            try await sent
        } catch {
            // Bytes that the server has of it need not be sent again.
            let after = await uncancelled { try? await self.size(of: write) }
            if let after, after > offset { wrote(min(after - offset, length)) }
            try fed.get()
            throw error
        }
        wrote(length)
    }

    private func storePart(
        _ temporary: ItemPath,
        of write: PartialWrite,
        offset: Int64,
        size: Int64,
        length: Int64,
        from pipe: FTPPipe
    ) async throws {
        do {
            try await call(write.path, isWriting: true, mayRepeat: { !pipe.hasBegun }) { session in
                try session.storePart(temporary, of: write, offset: offset, size: size, length: length, from: pipe)
            }
        } catch {
            pipe.finish(.failure(error))
            throw error
        }
    }

    /// Returns what the server has: one range, from the start.
    ///
    /// - Parameter write: The write that was begun.
    /// - Returns: One range, or none.
    /// - Throws: `PartialWriteLostError`.
    public func writtenRanges(of write: PartialWrite) async throws -> [Range<Int64>] {
        let size = try await size(of: write)
        return size > 0 ? [0..<min(size, write.length)] : []
    }

    /// The checksum of a few bytes, which are read for it.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - range: Some of the bytes.
    /// - Returns: The `PartChecksum` of the bytes; `nil` for none, or for more than 64 KiB.
    /// - Throws: `PartialWriteLostError`; why they can't be read.
    public func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String? {
        try await checksum(ofTemporary: Self.temporary(of: write), of: write, in: range)
    }

    /// Gives the file its name, once the server has all of it.
    ///
    /// - Parameters:
    ///   - write: The write that was begun; all of its bytes were written.
    ///   - options: The permission to replace a file, and the date to set.
    /// - Returns: The file as it was written.
    /// - Throws: `PartialWriteLostError`; `URLError.wrongLength(expected:received:)`.
    @discardableResult
    public func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        if options.ifMatch != nil { throw CocoaError.unsupported("writing on a condition", path: write.path) }
        let temporary = try Self.temporary(of: write)
        let size = try await size(of: write)
        guard size == write.length else { throw URLError.wrongLength(expected: write.length, received: size) }
        try await call(write.path, isWriting: true) { session in
            try session.requireWritable(write.path, options)
            if let date = options.modifiedDate { try session.setDateIfPossible(date, of: temporary) }
            try session.settle(temporary, at: write.path, overwrite: options.overwrite)
        }
        var file = FileObject(path: write.path, type: .file)
        file.size = size
        return file
    }

    /// Removes what was written.
    ///
    /// - Parameter write: The write that was begun.
    /// - Throws: The error that keeps it from being removed.
    public func discardPartialWrite(_ write: PartialWrite) async throws {
        let temporary = try Self.temporary(of: write)
        try await call(write.path, isWriting: true) { session in
            let reply = try session.command("DELE", try session.server.path(of: temporary))
            guard reply.isRefusal, try session.item(at: temporary) != nil else { return }
            throw try session.explained(.refusal(reply), changing: temporary)
        }
    }

    /// Where the parts go; what a record says is no path.
    private static func temporary(of write: PartialWrite) throws -> ItemPath {
        guard let name = write.values[nameKey], TemporaryName.isOne(name) else {
            throw PartialWriteLostError(path: write.path)
        }
        return write.path.parent.appending(name)
    }

    private func size(of write: PartialWrite) async throws -> Int64 {
        let temporary = try Self.temporary(of: write)
        return try await call(write.path) { session in
            try session.requireBinary()
            let reply = try session.command("SIZE", try session.server.path(of: temporary))
            if reply.isSuccess, let size = Int64(reply.lastText) { return size }
            guard let item = try session.item(at: temporary) else {
                throw PartialWriteLostError(path: write.path, underlying: FTPServerError(reply, write.path))
            }
            guard let size = item.size else { throw FTPFailure.refusal(reply) }
            return size
        }
    }
}

extension FTPSession {
    /// Spares the sending of what can't be stored under the name anyway.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - options: The permission to replace a file.
    ///   - looksForFolder: `true` if a folder there is worth a question of its own.
    /// - Throws: `CocoaError.fileWriteFileExists`.
    func requireWritable(_ path: ItemPath, _ options: WriteOptions, looksForFolder: Bool = true) throws {
        if options.overwrite, !looksForFolder { return }
        switch try quickKind(at: path, looksForFolder: looksForFolder) {
        case .directory?: throw CocoaError.itemExists(path)
        case .some where !options.overwrite: throw CocoaError.itemExists(path)
        default: break
        }
    }

    /// Sends a part, and compares the size that the server has then.
    fileprivate func storePart(
        _ temporary: ItemPath,
        of write: PartialWrite,
        offset: Int64,
        size: Int64,
        length: Int64,
        from pipe: FTPPipe
    ) throws {
        let place = try server.path(of: temporary)
        var sent: Int64 = 0
        var hasFailed = false
        do {
            try cancellation.waking({ pipe.finish(.failure(CancellationError())) }) {
                try store(place, length: length, appends: offset == size, offset: offset == size ? 0 : offset) { room in
                    let count = pipe.read(into: room)
                    sent += Int64(count ?? 0)
                    if count == nil || sent > length || (count == 0 && sent < length) {
                        hasFailed = true
                        return nil
                    }
                    return count
                }
                if sent == length { sent += Int64(try pipe.bytesBehindEnd()) }
            }
        } catch let failure as FTPFailure {
            if hasFailed, pipe.hasEndedWell { throw URLError.wrongLength(expected: length, received: sent) }
            if hasFailed { throw CancellationError() }
            throw try explained(failure, writing: write.path)
        }
        if sent != length { throw URLError.wrongLength(expected: length, received: sent) }
        // Bytes behind the part may have been cut off, or not.
        try requireBinary()
        let stored = try require("SIZE", place)
        guard let bytes = Int64(stored.lastText), bytes >= offset + length else {
            throw URLError.wrongLength(expected: offset + length, received: Int64(stored.lastText) ?? 0)
        }
    }
}
