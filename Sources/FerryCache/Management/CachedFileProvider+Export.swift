public import FerryCore
import Foundation

/// The result of writing files out of a cache.
public struct CacheExport: Sendable {
    /// Files that were written.
    public internal(set) var files = 0
    /// Bytes in them.
    public internal(set) var bytes: Int64 = 0
    /// Items that were not written, and why: `URLError.resourceUnavailable` for those of which parts are kept only,
    /// `CocoaError.fileWriteFileExists` for those that the target has already.
    public internal(set) var failures: [(path: ItemPath, error: any Error)] = []
}

extension CachedFileProvider where Base: FileProviderReadWriteProgressive {
    /// Writes the files that can be read without the storage to another, without asking the first one.
    ///
    /// Contents are written as they were kept, and may be older than those that the storage has now. Nothing is
    /// replaced.
    ///
    /// - Parameters:
    ///   - path: A file or folder; it and all below it are written.
    ///   - target: Where to.
    ///   - folder: The folder there that takes what is in `path`, or the file itself under its name; it is made if it is
    ///     missing and anything is kept.
    /// - Returns: The files that were written, and those that were not.
    /// - Throws: `CancellationError`; what keeps the target's folder from being made.
    public func exportOffline<Target: FileProviderOperations & FileProviderReadWriteProgressive>(
        below path: ItemPath = .root,
        to target: Target,
        at folder: ItemPath
    ) async throws -> CacheExport {
        let offline = withCaching(.onlyIfCached)
        var export = CacheExport()
        var made: Set<ItemPath> = []
        func make(_ folder: ItemPath) async throws {
            guard !folder.isRoot, !made.contains(folder) else { return }
            try await target.create(folder: folder.lastName, at: folder.parent, creatingParents: true)
            made.insert(folder)
        }
        for await entry in kept.offlineContents(below: path) {
            try Task.checkCancellation()
            try await make(folder)
            do {
                guard entry.isWhole, !entry.path.beginsWithIdentifier else { throw URLError.notCached(entry.path) }
                let place =
                    entry.path == path
                    ? folder.appending(entry.path.lastName) : entry.path.replacing(path, with: folder)
                let stream = try await offline.contentStream(path: entry.path)
                try await make(place.parent)
                try await target.writeStream(
                    path: place,
                    contents: stream,
                    length: stream.facts.size,
                    options: WriteOptions(modifiedDate: entry.modifiedDate)
                )
                export.files += 1
                export.bytes += stream.facts.size ?? entry.size ?? 0
            } catch let error as CancellationError {
                throw error
            } catch {
                export.failures.append((entry.path, error))
            }
        }
        return export
    }
}
