public import Foundation

extension FileProviderOperations where Self: FileProviderReadWriteProgressive {
    /// Uploads through ``FileProviderReadWriteProgressive/writeStream(path:contents:length:options:reporting:)``.
    ///
    /// - Parameters:
    ///   - localFile: The file's URL; a folder is `CocoaError.isAFolder(_:)`.
    ///   - target: Its path on the storage, name included.
    ///   - overwrite: `true` if a file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: See ``FileProviderOperations``.
    public func copyItem(
        localFile: URL,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await uploadAsStream(localFile: localFile, to: target, overwrite: overwrite, reporting: progress)
    }

    /// Uploads a file as the default ``copyItem(localFile:to:overwrite:reporting:)`` does, for providers that have a way of
    /// their own for some files only.
    ///
    /// - Parameters:
    ///   - localFile: The file's URL; a folder is `CocoaError.isAFolder(_:)`.
    ///   - target: Its path on the storage, name included.
    ///   - overwrite: `true` if a file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: See ``FileProviderOperations``.
    package func uploadAsStream(
        localFile: URL,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await LocalFile(localFile).withContents { facts, chunks in
            let options = WriteOptions(
                overwrite: overwrite,
                modifiedDate: facts.modifiedDate,
                contentType: facts.contentType
            )
            try await writeStream(
                path: target,
                contents: chunks,
                length: facts.size,
                options: options,
                reporting: progress
            )
        }
    }

    /// Downloads through ``FileProviderReadWriteProgressive/contentStream(path:range:reporting:)``.
    ///
    /// - Parameters:
    ///   - path: The file on the storage.
    ///   - localURL: The URL of the file to make, name included; it appears there only complete.
    ///   - overwrite: `true` if a local file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: See ``FileProviderOperations``.
    public func copyItem(
        path: ItemPath,
        toLocalURL localURL: URL,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await download(to: localURL, overwrite: overwrite, reporting: progress) {
            try await contentStream(path: path, range: .all, reporting: progress)
        }
    }
}

extension FileProviderOperations {
    /// Downloads a file that somebody else opens.
    ///
    /// - Parameters:
    ///   - localURL: The URL of the file to make, name included; it appears there only complete.
    ///   - overwrite: `true` if a local file there may be replaced.
    ///   - progress: Cancelling it ends the download.
    ///   - open: Opens the file, once it is known that there is a place for it.
    /// - Throws: Any error that `open` throws; see ``FileProviderOperations``.
    package func download(
        to localURL: URL,
        overwrite: Bool,
        reporting progress: Progress?,
        open: () async throws -> FileContentStream
    ) async throws {
        let target = try LocalFile(localURL)
        if !overwrite { try await target.requireAbsence() }
        try await target.write(try await open(), overwrite: overwrite, reporting: progress)
    }
}
