import FerryCore
import FerryMemory
import Foundation
import NIOCore

/// A provider that is wrong about everything: if a rule lets it pass, the rule looks at nothing.
struct HopelessFileProvider: FileProviderWrapper {
    enum Character: Sendable, CaseIterable {
        /// Every call fails with an error that fits nothing.
        case desperate
        /// Every call does nothing, finds nothing, and says that all is well.
        case indifferent
    }

    let base: MemoryFileProvider
    let character: Character

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        switch character {
        case .desperate: throw Nonsense()
        case .indifferent:
            let nothing: [any Sendable] = [(), Data(), "", [TrashedItem](), [FileVersion](), false]
            for nothing in nothing { if let nothing = nothing as? Result { return nothing } }
            return try await body()
        }
    }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            {
                switch character {
                case .desperate: throw Nonsense()
                case .indifferent: return nil
                }
            }
        }
    }

    func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        SearchResults(pages: directoryListing(path: path))
    }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        if character == .indifferent { return FileObject(name: "nothing", in: "/nowhere", type: .other) }
        return try await pass(FileProviderCall(.attributesOfItem)) { try await base.attributesOfItem(path: path) }
    }

    func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        if character == .indifferent { return FileContentStream(facts: FileContentFacts()) { nil } }
        return try await pass(FileProviderCall(.contentStream)) { try await base.contentStream(path: path) }
    }

    func contents(path: ItemPath, reporting progress: Progress?) async throws -> Data {
        try await pass(FileProviderCall(.contents)) { Data() }
    }

    func contents(path: ItemPath, offset: Int64, length: Int64?, reporting progress: Progress?) async throws -> Data {
        try await pass(FileProviderCall(.contents)) { Data() }
    }

    func writeContents(
        path: ItemPath,
        contents: Data,
        atomically: Bool,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await pass(FileProviderCall(.writeContents)) {}
    }

    func copyItem(localFile: URL, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {
        try await pass(FileProviderCall(.upload)) {}
    }

    func copyItem(
        path: ItemPath,
        toLocalURL localURL: URL,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try await pass(FileProviderCall(.download)) {}
    }

    func contentStream(of version: FileVersion, path: ItemPath) async throws -> FileContentStream {
        try await contentStream(path: path, range: .all, reporting: nil)
    }

    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        if character == .indifferent { return nil }
        return try await pass(FileProviderCall(.writeStream)) { throw Nonsense() }
    }

    struct Nonsense: Error {}
}

extension HopelessFileProvider: FileProviderReadWrite, FileProviderReadWriteProgressive, FileProviderOperations {}
extension HopelessFileProvider: FileProviderSymbolicLink, FileProviderMonitor, FileProviderChangeTracking {}
extension HopelessFileProvider: FileProviderTrash, FileProviderVersioning {}
extension HopelessFileProvider: FileProviderItemAttributes, FileProviderBatchOperations {}

extension HopelessFileProvider: FileProviderSharing {
    func publicLink(to path: ItemPath, options: ShareOptions) async throws -> ShareLink {
        if character == .desperate { throw Nonsense() }
        return ShareLink(id: "", path: "/nowhere", url: URL(filePath: "/"))
    }

    func publicLinks(to path: ItemPath?) async throws -> [ShareLink] {
        if character == .desperate { throw Nonsense() }
        return []
    }

    func revoke(_ link: ShareLink) async throws {
        if character == .desperate { throw Nonsense() }
    }
}

extension HopelessFileProvider: FileProviderUndoable {
    func canUndo(operation: FileOperationType) -> Bool { true }
    var canUndo: Bool { true }
    var canRedo: Bool { true }
    func undo() async throws { if character == .desperate { throw Nonsense() } }
    func redo() async throws { if character == .desperate { throw Nonsense() } }
}

extension HopelessFileProvider: ExtendedFileProvider {
    func thumbnailOfFileSupported(path: ItemPath) -> Bool { true }
    func propertiesOfFileSupported(path: ItemPath) -> Bool { true }

    func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        if character == .desperate { throw Nonsense() }
        return Thumbnail(data: Data(), contentType: "")
    }

    func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        if character == .desperate { throw Nonsense() }
        return []
    }

    func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        if character == .desperate { throw Nonsense() }
        return FileProperties([])
    }
}
