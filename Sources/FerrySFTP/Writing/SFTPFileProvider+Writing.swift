public import FerryCore
public import Foundation
public import NIOCore

extension SFTPFileProvider {
    /// Writes a file from chunks as they come: under a temporary name, until the server has all of it.
    ///
    /// Its length is compared with what the server then says. A replaced file's permissions stay, and its owner where the
    /// server allows that.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist. A link is followed.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The permission to replace a file, and the date to set; a condition is
    ///     `CocoaError.featureUnsupported`.
    ///   - progress: Bytes.
    /// - Returns: The file as the server describes it.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile`, `.fileWriteOutOfSpace`,
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
        let line = try await line()
        let target: SFTPWriteTarget
        do {
            target = try await line.writeTarget(path, options)
        } catch {
            throw await line.writeError(error, path, wantsAbsence: !options.overwrite)
        }
        if let length { progress?.announceTransfer(of: length) }
        let file = try await whileTemporary(target.temporary, line) {
            do {
                return try await self.write(contents, length: length, to: target, path, options, line, progress)
            } catch {
                throw await line.writeError(error, path, wantsAbsence: !options.overwrite, bytes: length ?? 0)
            }
        }
        progress?.finish()
        return file
    }

    private func write<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        to target: SFTPWriteTarget,
        _ path: ItemPath,
        _ options: WriteOptions,
        _ line: SFTPLine,
        _ progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        let opening = SFTPRequest.open(target.temporary, [.write, .create, .exclusive], newFileAttributes)
        let handle = try await line.connection.begin(opening).handle(on: line.connection)
        var handles = [handle]
        if let length, length > Self.longForOneLine {
            for other in try await lines(self.options.connections, like: line).dropFirst() {
                handles.append(try await other.begin(.open(target.temporary, .write)).handle(on: other))
            }
        }
        for handle in handles { handle.connection.window.enter() }
        defer { for handle in handles { handle.connection.window.leave() } }
        var received: Int64 = 0
        var writer = SFTPFileWriter(handles, at: 0, request: line.facts.limits.writeLength) {
            progress?.completedUnitCount += $0
        }
        for try await chunk in contents {
            try progress.checkCancellation()
            received += Int64(chunk.readableBytes)
            if let length, received > length { throw URLError.wrongLength(expected: length, received: received) }
            try await writer.append(chunk)
        }
        if let length, received != length { throw URLError.wrongLength(expected: length, received: received) }
        try progress.checkCancellation()
        try await writer.flush()
        // On one line all goes in one go: the server does it in order.
        if handles.count > 1 { try await writer.settle() }
        let ending = SFTPFileEnding(handle, attributes: finalAttributes(of: target, options), options, line)
        try await writer.settle()
        let attributes = try await ending.finish()
        guard let size = attributes.size, size == UInt64(received) else {
            throw URLError.wrongLength(expected: received, received: Int64(clamping: attributes.size ?? 0))
        }
        try progress.checkCancellation()
        try await line.settle(target.temporary, at: target.place, replacing: options.overwrite)
        return FileObject(path: path, .file, attributes)
    }

    /// The attributes that a new file gets from the start.
    var newFileAttributes: SFTPAttributes { SFTPAttributes(mode: options.filePermissions.map(UInt32.init)) }

    /// Returns what a file gets when all of it is there.
    func finalAttributes(of target: SFTPWriteTarget, _ options: WriteOptions) -> SFTPAttributes {
        var attributes = SFTPAttributes()
        attributes.mode = self.options.filePermissions.map(UInt32.init) ?? target.existing?.permissions.map(UInt32.init)
        attributes.times = options.modifiedDate.flatMap { SFTPAttributes.Times(modified: $0) }
        attributes.owner = self.options.owner.map { .init(user: $0.user, group: $0.group) } ?? target.existing?.owner
        return attributes
    }
}
