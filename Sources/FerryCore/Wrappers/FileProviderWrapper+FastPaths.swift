package import Foundation

// The abilities by which some storages do quicker what all can do, passed on.

extension FileProviderWrapper where Base: FileProviderWholeReading {
    /// Passes the call.
    package func wholeFile(path: ItemPath, upTo limit: Int) async throws -> WholeFile? {
        try await pass(FileProviderCall(.contents, path: path)) { try await base.wholeFile(path: path, upTo: limit) }
    }
}

extension FileProviderWrapper where Base: FileProviderBulkReading {
    /// Passes the call.
    package func wholeFiles(_ paths: [ItemPath], upTo limit: Int) async throws -> [WholeFile?] {
        try await pass(FileProviderCall(.contents, path: paths.first?.parent ?? .root)) {
            try await base.wholeFiles(paths, upTo: limit)
        }
    }
}

extension FileProviderWrapper where Base: FileProviderListedReading {
    /// Passes the call.
    package func contentsToRead(path: ItemPath) async throws -> [FileObject] {
        try await pass(FileProviderCall(.directoryListing, path: path)) { try await base.contentsToRead(path: path) }
    }

    /// Passes the call.
    package func contentStream(ofListed file: FileObject) async throws -> FileContentStream {
        try await pass(FileProviderCall(.contentStream, path: file.path)) {
            try await base.contentStream(ofListed: file)
        }
    }
}

extension FileProviderWrapper where Base: FileProviderDirectPartCopying {
    /// The base's.
    package func folderRecord(path: ItemPath) -> PartialWrite { base.folderRecord(path: path) }

    /// Passes the call, which can't be repeated: what it has copied would not be counted.
    package func copyFolder(
        path: ItemPath,
        of source: any FileProviderBasic,
        as write: PartialWrite,
        noting note: (@Sendable () -> Void)?,
        leavingOut largest: Int64,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> (copied: CopiedItems, left: [ItemPath]) {
        try await pass(FileProviderCall(.copyItem, path: path, target: write.path)) {
            try await base.copyFolder(
                path: path,
                of: source,
                as: write,
                noting: note,
                leavingOut: largest,
                reporting: progress,
                onError: onError
            )
        }
    }

    /// Passes the call.
    package func copyPart(
        of write: PartialWrite,
        from path: ItemPath,
        of source: any FileProviderBasic,
        range: Range<Int64>
    ) async throws -> FileObject {
        try await pass(FileProviderCall(.writePart, path: write.path, isIdempotent: true)) {
            try await base.copyPart(of: write, from: path, of: source, range: range)
        }
    }

    /// Passes the call.
    package func finishPartialWrite(
        _ write: PartialWrite,
        like path: ItemPath,
        of source: any FileProviderBasic,
        options: WriteOptions
    ) async throws -> FileObject {
        try await pass(FileProviderCall(.finishPartialWrite, path: write.path)) {
            try await base.finishPartialWrite(write, like: path, of: source, options: options)
        }
    }
}
