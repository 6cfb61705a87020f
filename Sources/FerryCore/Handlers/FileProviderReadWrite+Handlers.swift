public import Foundation
public import NIOCore

extension FileProviderReadWrite {
    /// Reads a whole file into memory.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets all bytes, or the error.
    /// - Returns: Bytes.
    @discardableResult
    public func contents(
        path: ItemPath,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        start(.fetch(path: path), handler: completionHandler) { progress in
            try await self.contents(path: path, reporting: progress)
        }
    }

    /// Reads a part of a file into memory.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - offset: Bytes from the start of the file.
    ///   - length: Bytes; `nil` for all that follows.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the part, or the error.
    /// - Returns: Bytes.
    @discardableResult
    public func contents(
        path: ItemPath,
        offset: Int64,
        length: Int64? = nil,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        start(.fetch(path: path), handler: completionHandler) { progress in
            try await self.contents(path: path, offset: offset, length: length, reporting: progress)
        }
    }

    /// Writes a whole file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - contents: All bytes.
    ///   - atomically: `true` if the final name must never show a mixture of old and new.
    ///   - overwrite: `true` if an existing file may be replaced.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: Bytes.
    @discardableResult
    public func writeContents(
        path: ItemPath,
        contents: Data,
        atomically: Bool = true,
        overwrite: Bool = false,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(.modify(path: path), handler: completionHandler) { progress in
            try await self.writeContents(
                path: path,
                contents: contents,
                atomically: atomically,
                overwrite: overwrite,
                reporting: progress
            )
        }
    }
}

extension FileProviderReadWriteProgressive {
    /// Reads a file, or a part of it, as it arrives.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part to read.
    ///   - responseHandler: Gets what is known before the first byte, once, on the callback queue.
    ///   - progressHandler: Gets each chunk with its offset from the start of the file, in order, on the callback queue.
    ///     Reading waits for it, so that chunks don't pile up.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`, after
    ///     all chunks.
    /// - Returns: Bytes.
    @discardableResult
    public func contentStream(
        path: ItemPath,
        range: ByteRange = .all,
        responseHandler: (@Sendable (FileContentFacts) -> Void)? = nil,
        progressHandler: @escaping @Sendable (Int64, ByteBuffer) -> Void,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(.fetch(path: path), handler: completionHandler) { progress in
            let stream = try await self.contentStream(path: path, range: range, reporting: progress)
            await self.callBack { responseHandler?(stream.facts) }
            var offset = stream.facts.range?.lowerBound ?? 0
            for try await chunk in stream {
                await self.callBack { [offset] in progressHandler(offset, chunk) }
                offset += Int64(chunk.readableBytes)
            }
        }
    }

    /// Reads a file, or a part of it, as `Data` that arrives chunk by chunk.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - offset: Bytes from the start of the file.
    ///   - length: Bytes; `nil` for all that follows.
    ///   - responseHandler: Gets what is known before the first byte, once, on the callback queue.
    ///   - progressHandler: Gets the position of each chunk, in bytes from the start of the file, and the chunk, in order, on
    ///     the callback queue. Reading waits for it, so that chunks don't pile up.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`, after
    ///     all chunks.
    /// - Returns: Bytes.
    @discardableResult
    public func contents(
        path: ItemPath,
        offset: Int64 = 0,
        length: Int64? = nil,
        responseHandler: (@Sendable (FileContentFacts) -> Void)? = nil,
        progressHandler: @escaping @Sendable (_ position: Int64, _ data: Data) -> Void,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        contentStream(
            path: path,
            range: offset == 0 && length == nil ? .all : ByteRange(offset: offset, length: length),
            responseHandler: responseHandler,
            progressHandler: { progressHandler($0, Data($1.readableBytesView)) },
            completionHandler: completionHandler
        )
    }

    /// Writes a file from chunks as they come.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - contents: The chunks, iterated once.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The conditions for replacing a file, and the date to set.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets what the storage said of
    ///     the written file, and the error.
    /// - Returns: Bytes.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64? = nil,
        options: WriteOptions = WriteOptions(),
        completionHandler: @escaping @Sendable (FileObject?, (any Error)?) -> Void
    ) -> Progress where Contents.Element == ByteBuffer {
        start(.modify(path: path)) { (result: Result<FileObject?, any Error>) in
            completionHandler((try? result.get()) ?? nil, result.error)
        } work: { progress in
            try await self.writeStream(
                path: path,
                contents: contents,
                length: length,
                options: options,
                reporting: progress
            )
        }
    }

    /// Calls somebody back on the callback queue, and waits until that has returned.
    private func callBack(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            environment.callbackQueue.async {
                body()
                continuation.resume()
            }
        }
    }
}
