public import Foundation
public import NIOCore

/// A provider that is another provider with something added: retries, faults, protection, a cache.
///
/// Write ``pass(_:_:)``, where calls are not just to be let through, and declare each conformance in one line; the methods
/// themselves are here, once for all wrappers. A wrapper shares its base's environment and hides none of its abilities but
/// those that it names in ``refusedAbilities``:
///
/// ```swift
/// extension ReadOnlyFileProvider: FileProviderSharing where Base: FileProviderSharing {}
/// ```
///
/// Make the wrapper generic over its base, as above: one that wraps a single type of provider finds two ready-made
/// forms of `contents` and `writeContents`, its base's and those made from streams, and must write its own.
public protocol FileProviderWrapper<Base>: FileProviderBasic {
    /// The type of the wrapped provider.
    associatedtype Base: FileProviderBasic

    /// The provider that is wrapped.
    var base: Base { get }

    /// Protocols that it is the wrapper's purpose to add to those of its base, by their names; none unless you say so.
    static var addedAbilities: Set<String> { get }

    /// Protocols of its base that it must not have, by their names; none unless you say so.
    static var refusedAbilities: Set<String> { get }

    /// Lets a call through to the base, or not, or twice; if you don't write it, each call goes through.
    ///
    /// Pages of listings and chunks of streams don't come by here: override the method that returns them.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - body: The call itself.
    /// - Returns: The value that the caller gets.
    /// - Throws: The error that the caller gets.
    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result
}

extension FileProviderWrapper {
    /// None.
    public static var addedAbilities: Set<String> { [] }

    /// None.
    public static var refusedAbilities: Set<String> { [] }

    /// Lets the call through.
    public func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await body()
    }
}

// MARK: - FileProviderBasic

extension FileProviderWrapper {
    /// The base's.
    public static var type: String { Base.type }

    /// The base's.
    public var baseURL: URL? { base.baseURL }

    /// The base's.
    public var credential: FileProviderCredential? { base.credential }

    /// The base's.
    public var capabilities: FileProviderCapabilities { base.capabilities }

    /// The base's.
    public var environment: FileProviderEnvironment { base.environment }

    /// The base's.
    public func directoryListing(path: ItemPath) -> DirectoryListing { base.directoryListing(path: path) }

    /// The base's.
    public func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        base.searchFiles(path: path, recursive: recursive, query: query)
    }

    /// The base's.
    public func searchPlan(for query: FileQuery) -> FileQueryPlan { base.searchPlan(for: query) }

    /// The base's.
    public func url(of path: ItemPath) -> URL? { base.url(of: path) }

    /// The base's.
    public func relativePath(of url: URL) -> ItemPath? { base.relativePath(of: url) }

    /// Passes the call.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await pass(FileProviderCall(.attributesOfItem, path: path)) { try await base.attributesOfItem(path: path) }
    }

    /// Passes the call.
    public func storageProperties() async throws -> VolumeObject {
        try await pass(FileProviderCall(.storageProperties)) { try await base.storageProperties() }
    }

    /// Passes the call.
    public func isReachable() async throws -> Bool {
        try await pass(FileProviderCall(.isReachable)) { try await base.isReachable() }
    }
}

// MARK: - Changing

extension FileProviderWrapper where Base: FileProviderOperations {
    /// Passes the call.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        let call = FileProviderCall(
            .createFolder,
            path: parent.appending(name),
            isIdempotent: creatingParents
        )
        try await pass(call) { try await base.create(folder: name, at: parent, creatingParents: creatingParents) }
    }

    /// Passes the call.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await pass(FileProviderCall(.moveItem, path: path, target: target)) {
            try await base.moveItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
    }

    /// Passes the call.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await pass(FileProviderCall(.copyItem, path: path, target: target, isIdempotent: overwrite)) {
            try await base.copyItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
    }

    /// Passes the call.
    public func removeItem(path: ItemPath, reporting progress: Progress?) async throws {
        try await pass(FileProviderCall(.removeItem, path: path)) {
            try await base.removeItem(path: path, reporting: progress)
        }
    }

    /// Passes the call.
    public func copyItem(
        localFile: URL,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await pass(FileProviderCall(.upload, path: target, isIdempotent: overwrite)) {
            try await base.copyItem(localFile: localFile, to: target, overwrite: overwrite, reporting: progress)
        }
    }

    /// Passes the call.
    public func copyItem(
        path: ItemPath,
        toLocalURL localURL: URL,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await pass(FileProviderCall(.download, path: path, isIdempotent: overwrite)) {
            try await base.copyItem(path: path, toLocalURL: localURL, overwrite: overwrite, reporting: progress)
        }
    }
}

// MARK: - Reading and writing

extension FileProviderWrapper where Base: FileProviderReadWrite {
    /// Passes the call.
    public func contents(path: ItemPath, reporting progress: Progress?) async throws -> Data {
        try await pass(FileProviderCall(.contents, path: path)) {
            try await base.contents(path: path, reporting: progress)
        }
    }

    /// Passes the call.
    public func contents(
        path: ItemPath,
        offset: Int64,
        length: Int64?,
        reporting progress: Progress?
    ) async throws -> Data {
        try await pass(FileProviderCall(.contents, path: path)) {
            try await base.contents(path: path, offset: offset, length: length, reporting: progress)
        }
    }

    /// Passes the call.
    public func writeContents(
        path: ItemPath,
        contents: Data,
        atomically: Bool,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await pass(FileProviderCall(.writeContents, path: path, isIdempotent: overwrite)) {
            try await base.writeContents(
                path: path,
                contents: contents,
                atomically: atomically,
                overwrite: overwrite,
                reporting: progress
            )
        }
    }
}

extension FileProviderWrapper where Base: FileProviderReadWriteProgressive {
    /// Passes the call.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try await pass(FileProviderCall(.contentStream, path: path)) {
            try await base.contentStream(path: path, range: range, reporting: progress)
        }
    }

    /// Passes the call, which can't be repeated: the chunks come once.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try await pass(FileProviderCall(.writeStream, path: path)) {
            try await base.writeStream(
                path: path,
                contents: contents,
                length: length,
                options: options,
                reporting: progress
            )
        }
    }
}
