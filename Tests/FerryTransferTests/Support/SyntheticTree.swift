import FerryCore
import Foundation
import NIOCore
import Synchronization

/// A storage with any number of files, none of which is held.
///
/// Its folders `d0`, `d1` … have files `f0`, `f1` … of one byte. It counts what is read.
final class SyntheticTree: Sendable {
    static let type = "synthetic"

    let folders: Int
    let filesPerFolder: Int
    private let opened = Mutex(0)

    init(folders: Int, filesPerFolder: Int) {
        self.folders = folders
        self.filesPerFolder = filesPerFolder
    }

    /// Files that were read so far.
    var readFiles: Int { opened.withLock { $0 } }

    fileprivate func refuse(_ path: ItemPath) -> CocoaError { .file(.fileWriteVolumeReadOnly, path: path) }
}

extension SyntheticTree: FileProviderBasic {
    var baseURL: URL? { nil }
    var credential: FileProviderCredential? { nil }
    var environment: FileProviderEnvironment { FileProviderEnvironment() }

    var capabilities: FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.datePrecision = .seconds(1)
        capabilities.setsModifiedDate = true
        capabilities.recommendedConcurrency = 8
        return capabilities
    }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        let (isTop, count) = (path.isRoot, path.isRoot ? folders : filesPerFolder)
        return DirectoryListing.paged { (start: Int?) in
            let first = start ?? 0
            let end = min(first + 500, count)
            let items = (first..<end).map { number in
                var item = FileObject(
                    name: isTop ? "d\(number)" : "f\(number)",
                    in: path,
                    type: isTop ? .directory : .file,
                    size: isTop ? nil : 1,
                    modifiedDate: Date(timeIntervalSince1970: 1_000)
                )
                item.eTag = isTop ? nil : "e\(number)"
                return item
            }
            return (items, end < count ? end : nil)
        }
    }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        guard path.components.count < 2 else { throw CocoaError.noSuchItem(path) }
        return FileObject(path: path, type: .directory)
    }

    func storageProperties() async throws -> VolumeObject { VolumeObject() }
}

extension SyntheticTree: FileProviderReadWriteProgressive, FileProviderReadWrite {
    func contentStream(path: ItemPath, range: ByteRange, reporting progress: Progress?) async throws
        -> FileContentStream
    {
        opened.withLock { $0 += 1 }
        let left = Mutex(true)
        return FileContentStream(facts: FileContentFacts(size: 1, range: 0..<1)) {
            left.withLock { left in
                defer { left = false }
                return left ? ByteBuffer(string: "x") : nil
            }
        }
    }

    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        throw refuse(path)
    }
}

extension SyntheticTree: FileProviderOperations {
    func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws { throw refuse(parent) }
    func removeItem(path: ItemPath, reporting progress: Progress?) async throws { throw refuse(path) }

    func moveItem(path: ItemPath, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {
        throw refuse(target)
    }

    func copyItem(path: ItemPath, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {
        throw refuse(target)
    }

    func copyItem(localFile: URL, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {
        throw refuse(target)
    }

    func copyItem(path: ItemPath, toLocalURL localURL: URL, overwrite: Bool, reporting progress: Progress?) async throws
    {
        throw refuse(path)
    }
}

/// A storage that takes everything and keeps nothing, and counts.
final class Sink: Sendable {
    static let type = "sink"

    private let counts = Mutex((files: 0, folders: 0, inFlight: 0, mostInFlight: 0, refused: 0))
    fileprivate let shown: SyntheticTree?
    private let mostAtOnce: Int
    private let tellsQuietly: Bool
    private let busyFor: Duration?

    /// Makes one.
    ///
    /// - Parameters:
    ///   - mostAtOnce: Writes that it stands at the same time; more are answered with 429.
    ///   - tellsQuietly: `true` if each write reports an overload to a listener only, and goes well in the end.
    ///   - busyFor: After what time to come back, as the first write is told.
    ///   - shown: The tree that its folders show, where a write returns nothing about the file; else each returns its
    ///     length.
    init(mostAtOnce: Int = .max, tellsQuietly: Bool = false, busyFor: Duration? = nil, shown: SyntheticTree? = nil) {
        self.shown = shown
        self.mostAtOnce = mostAtOnce
        self.tellsQuietly = tellsQuietly
        self.busyFor = busyFor
    }

    var files: Int { counts.withLock { $0.files } }
    var folders: Int { counts.withLock { $0.folders } }
    var mostInFlight: Int { counts.withLock { $0.mostInFlight } }
    var refused: Int { counts.withLock { $0.refused } }
}

/// Too many requests.
struct TooManyRequests: FileProviderHTTPError, RetryAfterError {
    let path: ItemPath
    var statusCode: Int { 429 }
    var serverDescription: String? { nil }
    var retryAfter: Duration? = .milliseconds(1)
}

extension Sink: FileProviderBasic {
    var baseURL: URL? { URL(string: "https://sink.example/") }
    var credential: FileProviderCredential? { nil }
    var environment: FileProviderEnvironment { FileProviderEnvironment() }

    var capabilities: FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.datePrecision = .seconds(1)
        capabilities.setsModifiedDate = true
        capabilities.recommendedConcurrency = 16
        return capabilities
    }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        shown?.directoryListing(path: path) ?? DirectoryListing { { nil } }
    }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        guard shown != nil, path.components.count == 3 else { throw CocoaError.noSuchItem(path) }
        return FileObject(name: path.lastName, in: path.parent, type: .file, size: 1)
    }

    func storageProperties() async throws -> VolumeObject { VolumeObject() }
}

extension Sink: FileProviderReadWriteProgressive, FileProviderReadWrite {
    func contentStream(path: ItemPath, range: ByteRange, reporting progress: Progress?) async throws
        -> FileContentStream
    {
        throw CocoaError.noSuchItem(path)
    }

    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        if tellsQuietly { OperationContext.current.overloadListener?.heard() }
        let isTooMuch = counts.withLock { counts in
            counts.inFlight += 1
            if busyFor != nil, counts.files == 0, counts.refused == 0 {
                counts.refused += 1
                return true
            }
            counts.mostInFlight = max(counts.mostInFlight, counts.inFlight)
            if counts.inFlight > mostAtOnce { counts.refused += 1 }
            return counts.inFlight > mostAtOnce
        }
        defer { counts.withLock { $0.inFlight -= 1 } }
        // That it is too much is said at once: so it is heard before what was begun at the same time has gone well.
        if isTooMuch { throw TooManyRequests(path: path, retryAfter: busyFor ?? .milliseconds(1)) }
        if mostAtOnce < .max || busyFor == nil {
            // Others come meanwhile.
            for _ in 0..<20 { await Task.yield() }
        }
        var size: Int64 = 0
        for try await chunk in contents { size += Int64(chunk.readableBytes) }
        counts.withLock { $0.files += 1 }
        return shown == nil ? FileObject(name: path.lastName, in: path.parent, type: .file, size: size) : nil
    }
}

extension Sink: FileProviderOperations {
    func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        counts.withLock { $0.folders += 1 }
    }

    func removeItem(path: ItemPath, reporting progress: Progress?) async throws {}
    func moveItem(path: ItemPath, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {}
    func copyItem(path: ItemPath, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {}
    func copyItem(localFile: URL, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {}
    func copyItem(path: ItemPath, toLocalURL localURL: URL, overwrite: Bool, reporting progress: Progress?) async throws
    {}
}
