public import FerryCore
public import Foundation
import HTTPTypes
public import NIOCore

extension HTTPFileProvider {
    /// Writes a file from chunks as they come, with one request.
    ///
    /// The server never gets a complete body unless the sequence ended well and with the announced length.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The conditions for replacing a file, and the date to set.
    ///   - progress: Bytes.
    /// - Returns: The file as the server's answer described it, or `nil`.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile`, `PreconditionFailedError` or the server's own 412,
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
        try await checkWrite(path, length: length, options: options)
        progress?.announceTransfer(of: length)
        let overwrite = options.overwrite || options.ifMatch != nil
        var attributes = HTTPFileAttributes(options)
        attributes.size = length
        let counter = ByteCounter()
        let reply = try await UploadPump.send(
            contents.map { counter.pass($0) },
            length: length,
            reporting: progress
        ) { [attributes] body in
            var request = try await self.request(
                for: .modify(path: path),
                overwrite: overwrite,
                attributes: attributes
            )
            request.body = body
            return try await self.send(request, about: path)
        }
        cache?.remove(cacheKey(of: path))
        guard reply.status.kind == .successful else {
            let error = try await serverError(of: reply, path: path)
            throw try await refusalOfWriting(
                error,
                to: path,
                overwrite: overwrite,
                ifMatch: options.ifMatch,
                isDirectory: false
            )
        }
        let file = try await writtenFile(of: reply, path: path, sent: counter.bytes, reporting: progress)
        progress?.finish()
        return file
    }

    /// Refuses what must fail before its bytes are sent.
    private func checkWrite(_ path: ItemPath, length: Int64?, options: WriteOptions) async throws {
        let capabilities = capabilities
        if path.isRoot { throw CocoaError.itemExists(path) }
        try checkName(of: path)
        if let limit = capabilities.maximumFileSize, let length, length > limit {
            throw CocoaError.file(
                .fileWriteOutOfSpace,
                path: path,
                description: "a file here can't be larger than \(limit) bytes"
            )
        }
        if options.ifMatch != nil {
            guard capabilities.writesConditionally else { throw CocoaError.unsupported("writing by eTag", path: path) }
        } else if !options.overwrite, !capabilities.createsExclusively, try await attributesIfExists(path: path) != nil
        {
            throw CocoaError.itemExists(path)
        }
    }

    /// Returns what the answer says; a file that is shorter or longer than what was sent is taken away again.
    private func writtenFile(
        of reply: HTTPReply,
        path: ItemPath,
        sent: Int64,
        reporting progress: Progress?
    ) async throws -> FileObject? {
        let answer = try await whole(reply)
        try await withCancellation(by: progress) {
            try await understood(whileWriting: true) { try await confirm(.modify(path: path), by: answer) }
        }
        guard let file = try await understood({ try self.writtenFile(from: answer, path: path) }) else { return nil }
        guard let size = file.size, size != sent else { return file }
        // Somebody else may have written meanwhile: only what the answer described is ours to take away.
        if let left = try await attributesIfExists(path: path), left.size == size, left.eTag == file.eTag {
            try await removeItem(path: path, reporting: nil)
        }
        throw URLError.answer(
            .networkConnectionLost,
            description: "\(sent) bytes were sent, and the server has \(size)"
        )
    }

    /// Refuses a name that the storage can't have, by its capabilities.
    func checkName(of path: ItemPath) throws {
        let name = path.lastName
        let isTooLong = capabilities.maximumNameLength.map { name.utf8.count > $0 } ?? false
        let forbidden = capabilities.forbiddenCharacters.unicodeScalars
        let isForbidden = !forbidden.isEmpty && name.unicodeScalars.contains { forbidden.contains($0) }
        if isTooLong || isForbidden { throw CocoaError.file(.fileWriteInvalidFileName, path: path) }
    }
}

extension HTTPFileAttributes {
    fileprivate init(_ options: WriteOptions) {
        self.init(
            isDirectory: false,
            modifiedDate: options.modifiedDate,
            contentType: options.contentType,
            ifMatch: options.ifMatch
        )
    }
}
