#if os(Linux) || os(macOS)
public import FerryCore
import Foundation
import NIOCore

extension SFTPFileProvider: FileProviderBlockUpdating {
    /// Edits that are sent ahead.
    private static let editsUnderWay = 64

    /// The checksums of a file's blocks, worked out by the server's shell.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - ranges: Parts of the file, each of which begins at a multiple of `blockSize`.
    ///   - blockSize: Bytes of a block, a power of two.
    /// - Returns: The first 32 hexadecimal digits of each block's SHA-256; `nil` where no shell answers, it has no program
    ///   for that, or sees another file.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.isAFolder(_:)`; errors of the connection.
    public func blockChecksums(
        path: ItemPath,
        ranges: [Range<Int64>],
        blockSize: Int64
    ) async throws -> [String]? {
        try await askShell(about: path, .sha256) { shell, program, place in
            try await shell.blockChecksums(by: program, of: place, ranges: ranges, blockSize: blockSize)
        }
    }

    /// Changes parts of a file in place.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - edits: The parts, iterated once, from the calling task.
    ///   - length: Bytes of the whole file in the end.
    ///   - options: The file's date, and whether it must be on the disk.
    /// - Returns: The file as the server describes it.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteOutOfSpace`; `URLError.wrongLength(expected:received:)`; what
    ///   `edits` throws.
    @discardableResult
    public func updateBlocks<Edits: AsyncSequence & Sendable>(
        path: ItemPath,
        edits: Edits,
        length: Int64,
        options: WriteOptions
    ) async throws -> FileObject where Edits.Element == FileEdit {
        let line = try await line()
        var options = options
        options.overwrite = true
        do {
            let target = try await line.writeTarget(path, options)
            guard let existing = target.existing, let size = existing.size else {
                throw SFTPRefusal(status: SFTPStatus(.noSuchFile))
            }
            let handle = try await line.connection.begin(.open(target.place, .write)).handle(on: line.connection)
            let mark = max(Int64(clamping: size), length) + 1
            try await send(edits, to: handle, request: line.facts.limits.writeLength, mark: mark)
            var attributes = finalAttributes(of: target, options)
            attributes.owner = nil
            attributes.size = UInt64(clamping: length)
            let ending = SFTPFileEnding(handle, attributes: attributes, options, line)
            let final = try await ending.finish()
            guard final.size == UInt64(clamping: length) else {
                throw URLError.wrongLength(expected: length, received: Int64(clamping: final.size ?? 0))
            }
            return FileObject(path: path, .file, final)
        } catch {
            throw await line.writeError(error, path, bytes: length)
        }
    }

    /// Writes each edit to its place, many requests ahead.
    ///
    /// The file first gets a length that it neither had nor will have: so whoever compares it after an interruption sees
    /// that it is neither, whatever its date is.
    private func send<Edits: AsyncSequence>(
        _ edits: Edits,
        to handle: SFTPHandle,
        request: Int,
        mark: Int64
    ) async throws where Edits.Element == FileEdit {
        var answers: [SFTPPendingAnswer] = []
        var isMarked = false
        for try await edit in edits {
            if !isMarked {
                isMarked = true
                var length = SFTPAttributes()
                length.size = UInt64(clamping: mark)
                try await handle.connection.begin(.fsetstat(handle.name, length)).success()
            }
            var (bytes, offset) = (edit.bytes, edit.offset)
            while let piece = bytes.readSlice(length: min(request, bytes.readableBytes)), piece.readableBytes > 0 {
                if answers.count == Self.editsUnderWay { try await answers.removeFirst().success() }
                answers.append(handle.connection.begin(.write(handle.name, offset: UInt64(offset), piece)))
                offset += Int64(piece.readableBytes)
            }
        }
        for answer in answers { try await answer.success() }
    }
}
#endif
