public import FerryCore
import Foundation
public import NIOCore

extension SFTPFileProvider: FileProviderPartialWriting {
    private static var limits: PartialWriteLimits { PartialWriteLimits(parallelism: 4, tellsSizeOnly: true) }

    /// Parts of any length, several at a time: each goes to its place in a hidden file.
    ///
    /// - Parameter length: Bytes of the whole file.
    /// - Returns: How parts must be.
    /// - Throws: Nothing.
    public func partialWriteLimits(length: Int64) async throws -> PartialWriteLimits? { Self.limits }

    /// Makes a file under a temporary name.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - length: Bytes in all.
    ///   - options: The permission to replace a file.
    ///   - note: Called with the record that will lead back to it, before there is a file.
    /// - Returns: The record that leads back to it.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``.
    public func beginPartialWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite {
        let line = try await line()
        do {
            var target = try await line.writeTarget(path, options)
            // Its record is what leads back to it: the name has no mark by which the next run would take it for a leftover.
            target = SFTPWriteTarget(
                place: target.place,
                existing: target.existing,
                name: TemporaryName.make(UUID())
            )
            let write = PartialWrite(
                path: path,
                length: length,
                limits: Self.limits,
                values: ["name": String(decoding: target.temporary.lastName, as: UTF8.self)]
            )
            try await note(write)
            // It lies beside the name itself, not beside what a link there leads to: its record is enough to find it.
            let temporary = try Self.temporary(of: write, on: line)
            let opening = SFTPRequest.open(temporary, [.write, .create, .exclusive], newFileAttributes)
            let handle = try await line.connection.begin(opening).handle(on: line.connection)
            try await handle.beginClosing()?.success()
            return write
        } catch {
            throw await line.writeError(error, path, wantsAbsence: !options.overwrite)
        }
    }

    /// Where the parts go; what a record says is no path.
    private static func temporary(of write: PartialWrite, on line: SFTPLine) throws -> SFTPPath {
        try line.folder(of: write.path).appending(Array(temporaryName(of: write).utf8))
    }

    private static func temporaryName(of write: PartialWrite) throws -> String {
        guard let name = write.values["name"], TemporaryName.isOne(name) else {
            throw PartialWriteLostError(path: write.path)
        }
        return name
    }

    /// Sends a part.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - offset: Where the part begins.
    ///   - contents: The bytes, iterated once, from the calling task.
    ///   - length: Bytes of the part.
    ///   - wrote: Called with the number of bytes stored since the last call.
    /// - Throws: `PartialWriteLostError` when the temporary file is gone; `CocoaError.fileWriteOutOfSpace`;
    ///   `URLError.wrongLength(expected:received:)`; what `contents` throws.
    public func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        guard offset >= 0, length >= 0, length <= write.length - offset else {
            throw URLError.wrongLength(expected: write.length, received: offset)
        }
        let line = try await line()
        do {
            let temporary = try Self.temporary(of: write, on: line)
            let handle = try await open(temporary, of: write, line)
            handle.connection.window.enter()
            defer { handle.connection.window.leave() }
            var writer = SFTPFileWriter([handle], at: offset, request: line.facts.limits.writeLength, wrote: wrote)
            var received: Int64 = 0
            do {
                for try await chunk in contents {
                    received += Int64(chunk.readableBytes)
                    guard received <= length else { throw URLError.wrongLength(expected: length, received: received) }
                    try await writer.append(chunk)
                }
            } catch {
                await keepWhole(&writer, handle)
                throw error
            }
            do {
                try await writer.flush()
                try await writer.settle()
            } catch {
                await keepWhole(&writer, handle)
                throw error
            }
            guard received == length else { throw URLError.wrongLength(expected: length, received: received) }
            try await handle.beginClosing()?.success()
        } catch {
            throw await line.writeError(error, write.path, bytes: length)
        }
    }

    /// Ends a part that has failed: what has arrived without a gap counts, and the file ends there, since its size is all
    /// that says later how far it is.
    private func keepWhole(_ writer: inout SFTPFileWriter, _ handle: SFTPHandle) async {
        await writer.drain()
        guard writer.hasFailed, !handle.connection.isOver else { return }
        var attributes = SFTPAttributes()
        attributes.size = UInt64(writer.confirmed)
        let cut = attributes
        await uncancelled {
            _ = try? await handle.connection.begin(.fsetstat(handle.name, cut)).success()
        }
    }

    private func open(_ temporary: SFTPPath, of write: PartialWrite, _ line: SFTPLine) async throws -> SFTPHandle {
        do {
            return try await line.connection.begin(.open(temporary, .write)).handle(on: line.connection)
        } catch let refusal as SFTPRefusal where refusal.code == .noSuchFile {
            throw PartialWriteLostError(path: write.path, underlying: await line.readError(refusal, write.path))
        }
    }

    /// Up to the last byte that the server has.
    ///
    /// - Parameter write: The write that was begun.
    /// - Returns: One range, or none.
    /// - Throws: `PartialWriteLostError` when the temporary file is gone.
    public func writtenRanges(of write: PartialWrite) async throws -> [Range<Int64>] {
        let line = try await line()
        do {
            let size = try await writtenSize(of: write, line)
            return size > 0 ? [0..<min(size, write.length)] : []
        } catch {
            throw await line.readError(error, write.path)
        }
    }

    private func writtenSize(of write: PartialWrite, _ line: SFTPLine) async throws -> Int64 {
        let temporary = try Self.temporary(of: write, on: line)
        guard let there = try await line.connection.begin(.lstat(temporary)).attributesIfThere(), there.kind == .file,
            let size = there.size
        else { throw PartialWriteLostError(path: write.path) }
        return Int64(clamping: size)
    }

    /// The checksum of a few bytes, which are read for it.
    ///
    /// - Parameters:
    ///   - write: The write that was begun.
    ///   - range: Some of the bytes.
    /// - Returns: The `PartChecksum` of the bytes; `nil` for none, or for more than 64 KiB.
    /// - Throws: `PartialWriteLostError`; why they can't be read.
    public func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String? {
        try await checksum(
            ofTemporary: write.path.parent.appending(Self.temporaryName(of: write)),
            of: write,
            in: range
        )
    }

    /// Gives the file its name.
    ///
    /// - Parameters:
    ///   - write: The write that was begun; all of its bytes were written.
    ///   - options: The permission to replace a file, and the date to set.
    /// - Returns: The file as the server describes it.
    /// - Throws: `PartialWriteLostError`; as ``writeStream(path:contents:length:options:reporting:)``.
    @discardableResult
    public func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        let line = try await line()
        do {
            let written = try await writtenSize(of: write, line)
            guard written == write.length else { throw URLError.wrongLength(expected: write.length, received: written) }
            let temporary = try Self.temporary(of: write, on: line)
            let target = try await line.writeTarget(write.path, options)
            let handle = try await open(temporary, of: write, line)
            let ending = SFTPFileEnding(handle, attributes: finalAttributes(of: target, options), options, line)
            let attributes = try await ending.finish()
            try await line.settle(temporary, at: target.place, replacing: options.overwrite)
            return FileObject(path: write.path, .file, attributes)
        } catch {
            throw await line.writeError(error, write.path, wantsAbsence: !options.overwrite)
        }
    }

    /// Removes the temporary file.
    ///
    /// - Parameter write: The write that was begun.
    /// - Throws: The error that keeps it from being removed.
    public func discardPartialWrite(_ write: PartialWrite) async throws {
        guard let name = write.values["name"], TemporaryName.isOne(name) else { return }
        let line = try await line()
        do {
            try await line.connection.begin(.remove(try Self.temporary(of: write, on: line))).success()
        } catch let refusal as SFTPRefusal where refusal.code == .noSuchFile {
            // As good.
        } catch {
            throw await line.writeError(error, write.path)
        }
    }
}
