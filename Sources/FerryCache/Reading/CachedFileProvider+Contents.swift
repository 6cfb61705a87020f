public import FerryCore
public import Foundation

extension CachedFileProvider where Base: FileProviderReadWriteProgressive {
    /// Opens a file, or a part of it, for reading: what is kept of it need not be fetched, what is fetched is kept.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part to read.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The bytes, all of one version.
    /// - Throws: Any error that the base throws; `URLError.resourceUnavailable` with ``CachingOptions/onlyIfCached``;
    ///   from the stream `PreconditionFailedError`, if only a part is kept and the storage has another version by the
    ///   time that the rest is asked for.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try await engine.contentStream(base, path, range, options, progress)
    }
}

extension CachedFileProvider where Base: FileProviderReadWrite {
    /// Reads a whole file: what is kept of it need not be fetched, what is fetched is kept.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - progress: Bytes.
    /// - Returns: All bytes.
    /// - Throws: Any error that the base throws; `URLError.resourceUnavailable` with ``CachingOptions/onlyIfCached``.
    public func contents(path: ItemPath, reporting progress: Progress?) async throws -> Data {
        if let streams = base as? any FileProviderReadWriteProgressive {
            return try await engine.contentStream(streams, path, .all, options, progress).collect()
        }
        let plan = ReadingPlan(options, otherwise: .validated)
        return try await engine.wholeContents(of: path, plan, progress) {
            try await base.contents(path: path, reporting: $0)
        }
    }

    /// Reads a part of a file: what is kept of it need not be fetched, what is fetched is kept.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - offset: Bytes from the start of the file.
    ///   - length: Bytes; `nil` for all that follows.
    ///   - progress: Bytes.
    /// - Returns: The part.
    /// - Throws: Any error that the base throws; `URLError.resourceUnavailable` with ``CachingOptions/onlyIfCached``.
    public func contents(
        path: ItemPath,
        offset: Int64,
        length: Int64?,
        reporting progress: Progress?
    ) async throws -> Data {
        let range = ByteRange(offset: offset, length: length)
        if let streams = base as? any FileProviderReadWriteProgressive {
            return try await engine.contentStream(streams, path, range, options, progress).collect()
        }
        let plan = ReadingPlan(options, otherwise: .validated)
        if let data = try await engine.keptContents(of: path, range, plan) { return data }
        return try await base.contents(path: path, offset: offset, length: length, reporting: progress)
    }
}

extension CachedFileProvider where Base: FileProviderOperations {
    /// Downloads a file to this machine: what is kept of it need not be fetched, what is fetched is kept.
    ///
    /// - Parameters:
    ///   - path: The file on the storage.
    ///   - localURL: The URL of the file to make, name included.
    ///   - overwrite: `true` if a local file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: Any error that the base throws; `URLError.resourceUnavailable` with ``CachingOptions/onlyIfCached``.
    public func copyItem(
        path: ItemPath,
        toLocalURL localURL: URL,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        guard let streams = base as? any FileProviderReadWriteProgressive else {
            return try await pass(FileProviderCall(.download, path: path, isIdempotent: overwrite)) {
                try await base.copyItem(path: path, toLocalURL: localURL, overwrite: overwrite, reporting: progress)
            }
        }
        try await download(to: localURL, overwrite: overwrite, reporting: progress) { [engine, options] in
            try await engine.contentStream(streams, path, .all, options, progress)
        }
    }
}

extension CacheEngine {
    /// Opens a file through the cache.
    func contentStream(
        _ streams: any FileProviderReadWriteProgressive,
        _ path: ItemPath,
        _ range: ByteRange,
        _ options: CachingOptions,
        _ progress: Progress?
    ) async throws -> FileContentStream {
        try await ContentsOpening(
            engine: self,
            base: streams,
            path: path,
            range: range,
            plan: ReadingPlan(options, otherwise: .validated),
            progress: progress
        ).open()
    }
}
