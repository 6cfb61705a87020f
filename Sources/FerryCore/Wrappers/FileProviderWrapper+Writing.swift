public import NIOCore

// The abilities that write in other ways than one file after the other, passed on.

extension FileProviderWrapper where Base: FileProviderBulkWriting {
    /// The base's.
    public var bulkLimits: BulkLimits? { base.bulkLimits }

    /// Passes the call.
    public func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        let call = FileProviderCall(.writeFiles, path: files.first?.path.parent ?? .root, isIdempotent: overwrite)
        return try await pass(call) { try await base.writeFiles(files, overwrite: overwrite) }
    }
}

extension FileProviderWrapper where Base: FileProviderFolderWriting {
    /// The base's.
    public var newFolderLimits: BulkLimits? { base.newFolderLimits }

    /// Passes the call, which can't be repeated: the files come once.
    public func writeFolder(
        path: ItemPath,
        lanes: Int,
        files next: @escaping @Sendable () async throws -> [BulkFile]
    ) async throws {
        try await pass(FileProviderCall(.writeFolder, path: path)) {
            try await base.writeFolder(path: path, lanes: lanes, files: next)
        }
    }
}

extension FileProviderWrapper where Base: FileProviderPartialWriting {
    /// Passes the call.
    public func partialWriteLimits(length: Int64) async throws -> PartialWriteLimits? {
        try await pass(FileProviderCall(.partialWriteLimits)) { try await base.partialWriteLimits(length: length) }
    }

    /// Passes the call.
    public func beginPartialWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite {
        try await withoutActuallyEscaping(note) { note in
            try await pass(FileProviderCall(.beginPartialWrite, path: path)) {
                try await base.beginPartialWrite(path: path, length: length, options: options, noting: note)
            }
        }
    }

    /// Passes the call, which can't be repeated: the chunks come once.
    public func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        try await pass(FileProviderCall(.writePart, path: write.path)) {
            try await base.writePart(of: write, offset: offset, contents: contents, length: length, wrote: wrote)
        }
    }

    /// Passes the call.
    public func writtenRanges(of write: PartialWrite) async throws -> [Range<Int64>] {
        try await pass(FileProviderCall(.writtenRanges, path: write.path)) { try await base.writtenRanges(of: write) }
    }

    /// Passes the call.
    public func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String? {
        try await pass(FileProviderCall(.writtenRanges, path: write.path)) {
            try await base.checksum(of: write, in: range)
        }
    }

    /// Passes the call.
    @discardableResult
    public func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        try await pass(FileProviderCall(.finishPartialWrite, path: write.path)) {
            try await base.finishPartialWrite(write, options: options)
        }
    }

    /// Passes the call.
    public func discardPartialWrite(_ write: PartialWrite) async throws {
        try await pass(FileProviderCall(.discardPartialWrite, path: write.path, isIdempotent: true)) {
            try await base.discardPartialWrite(write)
        }
    }
}

extension FileProviderWrapper where Base: FileProviderBlockUpdating {
    /// Passes the call.
    public func blockChecksums(path: ItemPath, ranges: [Range<Int64>], blockSize: Int64) async throws -> [String]? {
        try await pass(FileProviderCall(.blockChecksums, path: path)) {
            try await base.blockChecksums(path: path, ranges: ranges, blockSize: blockSize)
        }
    }

    /// Passes the call, which can't be repeated: the edits come once.
    @discardableResult
    public func updateBlocks<Edits: AsyncSequence & Sendable>(
        path: ItemPath,
        edits: Edits,
        length: Int64,
        options: WriteOptions
    ) async throws -> FileObject where Edits.Element == FileEdit {
        try await pass(FileProviderCall(.updateBlocks, path: path)) {
            try await base.updateBlocks(path: path, edits: edits, length: length, options: options)
        }
    }
}

// The ability to do many things with few requests, passed on.

extension FileProviderWrapper where Self: FileProviderBatchOperations, Base: FileProviderBatchOperations {
    /// The base's.
    public var batchLimit: Int? { base.batchLimit }

    /// Passes the call.
    public func removeItems(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        try await pass(FileProviderCall(.removeItems, path: paths.first ?? .root)) {
            try await base.removeItems(paths)
        }
    }

    /// Passes the call.
    public func moveItems(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        try await pass(FileProviderCall(.moveItems, path: moves.first?.path ?? .root, target: moves.first?.target)) {
            try await base.moveItems(moves, overwrite: overwrite)
        }
    }

    /// Passes the call.
    public func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        let call = FileProviderCall(.setAttributesOfItems, path: changes.first?.path ?? .root, isIdempotent: true)
        return try await pass(call) { try await base.setAttributes(changes) }
    }
}
