public import FerryCore
public import Foundation
public import NIOCore

extension FTPFileProvider {
    /// Writes a file from chunks as they come: to a temporary name, whose size is compared before it is renamed.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The permission to replace a file, and the date to set; `CocoaError.featureUnsupported` for an eTag.
    ///   - progress: Bytes.
    /// - Returns: The file as it was written.
    /// - Throws: As `FileProviderReadWriteProgressive`.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try progress.checkCancellation()
        if path.isRoot { throw CocoaError.itemExists(path) }
        if options.ifMatch != nil { throw CocoaError.unsupported("writing on a condition", path: path) }
        // A name that can't be one there is refused before anything is sent.
        guard try server.path(of: path).isTransferable else { throw Self.controlCharacters(path) }
        if let length { progress?.announceTransfer(of: length) }
        let before = progress?.completedUnitCount ?? 0
        do {
            let write = FTPWrite(path: path, length: length, options: options)
            let size = try await send(contents, write, reporting: progress)
            progress?.finish()
            var file = FileObject(path: path, type: .file)
            file.size = size
            return file
        } catch {
            progress?.completedUnitCount = before
            throw error
        }
    }

    static func controlCharacters(_ path: ItemPath) -> CocoaError {
        .file(
            .fileWriteInvalidFileName,
            path: path,
            description: "a name can't hold control characters on an FTP server"
        )
    }

    /// Sends the chunks from the calling task, while a connection's thread does all else.
    private func send<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        _ write: FTPWrite,
        reporting progress: Progress?
    ) async throws -> Int64 where Contents.Element == ByteBuffer {
        let pipe = FTPPipe()
        async let written: Int64 = perform(write, from: pipe)
        let fed: Result<Void, any Error>
        do {
            try await withCancellationOfPipe(pipe, by: progress) {
                for try await chunk in contents {
                    try progress.checkCancellation()
                    guard await pipe.send(chunk) else { break }
                    progress?.completedUnitCount += Int64(chunk.readableBytes)
                }
                try progress.checkCancellation()
            }
            fed = .success(())
        } catch {
            fed = .failure(error)
        }
        pipe.finish(fed)
        do {
            let size = try await written
            try fed.get()
            return size
        } catch {
            // The error that the contents threw is why the server received nothing more.
            try fed.get()
            throw error
        }
    }

    private func withCancellationOfPipe(
        _ pipe: FTPPipe,
        by progress: Progress?,
        _ body: () async throws -> Void
    ) async throws {
        let watch = progress?.watchCancellation { pipe.finish(.failure(CancellationError())) }
        defer { watch?.end() }
        try await body()
    }

    private func perform(_ write: FTPWrite, from pipe: FTPPipe) async throws -> Int64 {
        do {
            let size = try await call(write.path, isWriting: true, mayRepeat: { !pipe.hasBegun }) { session in
                try session.write(write, from: pipe)
            }
            return size
        } catch {
            pipe.finish(.failure(error))
            let fullness = write.wasCut ? await fullness(after: write) : nil
            await removeTemporary(of: write)
            if let fullness { throw fullness }
            throw await missingFolder(error, above: write.path) ?? error
        }
    }

    /// The error that says that a server has no more room, where it broke the connection before it said so.
    private func fullness(after write: FTPWrite) async -> CocoaError? {
        do {
            try await call(write.path, isWriting: true) { try $0.appendZeros(to: write) }
            return nil
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            return error
        } catch {
            // It says nothing else that is known.
            return nil
        }
    }

    /// The error that names the folder, where a file can't be written because that is missing.
    ///
    /// Where the server's refusal has cost the connection, the call itself could not look.
    private func missingFolder(_ error: any Error, above path: ItemPath) async -> CocoaError? {
        guard let error = error as? CocoaError, error.code == .fileNoSuchFile, !path.parent.isRoot else { return nil }
        do {
            guard try await item(at: path.parent) == nil else { return nil }
        } catch {
            // It can't be found out: what is known already stands.
            return nil
        }
        return CocoaError.noSuchItem(path.parent, underlying: error.userInfo[NSUnderlyingErrorKey] as? any Error)
    }
}
