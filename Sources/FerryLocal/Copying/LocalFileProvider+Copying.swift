public import FerryCore
public import Foundation

extension LocalFileProvider: FileProviderOperations {
    /// Copies an item with all below it.
    ///
    /// Dates, permissions and extended attributes are kept, and the owner if we are root; holes stay holes, links stay
    /// links, files with several names in a copied folder keep them. A file shares the blocks of its original where the
    /// file system can do that. A new folder appears under its name only when it is complete.
    ///
    /// - Parameters:
    ///   - path: The item; of a link, the link itself.
    ///   - target: The copy's path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: Bytes.
    /// - Throws: See the protocol's rules.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await copyItem(
            path: path,
            to: target,
            overwrite: overwrite,
            reporting: progress,
            shouldCopy: nil,
            onError: nil
        )
    }

    /// Copies an item with all below it, and may leave items out, or go on after errors.
    ///
    /// - Parameters:
    ///   - path: The item; of a link, the link itself.
    ///   - target: The copy's path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: Bytes.
    ///   - shouldCopy: Called before each item, with its path; `false` leaves it out, with all below it. Called from
    ///     several threads.
    ///   - onError: Called with the path of an item below `path` that failed, and the error; `true` goes on with the
    ///     others, and what could be copied is then put in place. Called from several threads.
    /// - Throws: See the protocol's rules; an error that `onError` did not go on after.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?,
        shouldCopy: (@Sendable (ItemPath) -> Bool)?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws {
        try await copy(
            (base, path),
            to: (base, target),
            overwrite: overwrite,
            job: Job(reporting: progress, onError: onError),
            shouldCopy: shouldCopy
        )
    }

    /// Copies a file of this machine that may be outside of the base folder.
    ///
    /// - Parameters:
    ///   - localFile: The file's URL; a folder is `CocoaError.isAFolder(_:)`.
    ///   - target: Its path here, name included.
    ///   - overwrite: `true` if a file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: See the protocol's rules.
    public func copyItem(
        localFile: URL,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let source = (BaseFolder.machine, try ItemPath(localFile: localFile))
        try await copy(
            source,
            to: (base, target),
            overwrite: overwrite,
            job: Job(reporting: progress),
            onlyFiles: true
        )
    }

    /// Copies a file to a place on this machine that may be outside of the base folder.
    ///
    /// - Parameters:
    ///   - path: The file; a folder is `CocoaError.isAFolder(_:)`.
    ///   - localURL: The URL of the file to make, name included.
    ///   - overwrite: `true` if a file there may be replaced.
    ///   - progress: Bytes.
    /// - Throws: See the protocol's rules.
    public func copyItem(
        path: ItemPath,
        toLocalURL localURL: URL,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let target = (BaseFolder.machine, try ItemPath(localFile: localURL))
        try await copy(
            (base, path),
            to: target,
            overwrite: overwrite,
            job: Job(reporting: progress),
            onlyFiles: true
        )
    }

    func copy(
        _ source: (BaseFolder, ItemPath),
        to target: (BaseFolder, ItemPath),
        overwrite: Bool,
        job: Job,
        shouldCopy: TreeCopier.ItemFilter? = nil,
        partial: PartialFolder? = nil,
        onlyFiles: Bool = false
    ) async throws {
        try await run(
            job,
            reading: source.0 === base ? [source.1] : [],
            writing: target.0 === base ? [target.1] : []
        ) { [pool] in
            let places = try ItemPlaces(source, target)
            if onlyFiles && places.status.isFolder { throw CocoaError.isAFolder(source.1) }
            let copy = CopyOperation(
                places: places,
                overwrite: overwrite,
                job: job,
                pool: pool,
                shouldCopy: shouldCopy,
                partial: partial
            )
            try copy.run()
        }
    }
}

extension BaseFolder {
    /// The whole machine, for what an app gives us as a file's URL.
    static let machine = BaseFolder(path: "/")
}

extension ItemPath {
    /// The path of a file's URL on this machine.
    ///
    /// - Throws: `CocoaError.fileReadUnsupportedScheme` for any other URL.
    fileprivate init(localFile url: URL) throws {
        guard url.isFileURL, let path = ItemPath(rawPath: url) else {
            throw CocoaError.file(
                .fileReadUnsupportedScheme,
                path: .root,
                description: "not a local file: \(url.withoutUserInfo.absoluteString)"
            )
        }
        self = path
    }

    private init?(rawPath url: URL) {
        let path = url.absoluteURL.withUnsafeFileSystemRepresentation { bytes in
            bytes.map { bytes in
                UnsafeRawBufferPointer(start: bytes, count: strlen(bytes)).split(separator: UInt8(ascii: "/"))
                    .reduce(ItemPath.root) { $0.appending(String(nameBytes: $1)) }
            }
        }
        guard let path else { return nil }
        self = path
    }
}
