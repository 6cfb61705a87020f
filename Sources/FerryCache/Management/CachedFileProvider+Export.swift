public import FerryCore
import Foundation

/// What was written out of a cache.
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
    /// What is written is what was kept, and may be older than what the storage has now. Nothing is replaced.
    ///
    /// - Parameters:
    ///   - path: A file or folder; it and all below it are written.
    ///   - target: Where to.
    ///   - folder: The folder there that takes what is in `path`, or the file itself under its name; it is made if it is
    ///     missing and anything is kept.
    ///   - written: Is told of each file when it is there.
    /// - Returns: What was written, and what was not.
    /// - Throws: `CancellationError`; what keeps the target's folder from being made.
    public func exportOffline<Target: FileProviderOperations & FileProviderReadWriteProgressive>(
        below path: ItemPath = .root,
        to target: Target,
        at folder: ItemPath,
        written: @Sendable (ItemPath) -> Void = { _ in }
    ) async throws -> CacheExport {
        let offline = withCaching(.onlyIfCached)
        var export = CacheExport()
        var known: Set<ItemPath> = [.root]
        for await entry in kept.offlineContents(below: path) {
            try Task.checkCancellation()
            if known.count == 1 { try await target.makeFolder(folder, &known) }
            do {
                guard entry.isWhole, !entry.path.isIdentifier else { throw URLError.notCached(entry.path) }
                let place =
                    entry.path == path
                    ? folder.appending(entry.path.lastName) : entry.path.replacing(path, with: folder)
                let stream = try await offline.contentStream(path: entry.path)
                try await target.makeFolder(place.parent, &known)
                try await target.writeStream(
                    path: place,
                    contents: stream,
                    length: stream.facts.size,
                    options: WriteOptions(modifiedDate: entry.modifiedDate)
                )
                export.files += 1
                export.bytes += stream.facts.size ?? entry.size ?? 0
                written(entry.path)
            } catch let error as CancellationError {
                throw error
            } catch {
                export.failures.append((entry.path, error))
            }
        }
        return export
    }
}

extension FileProviderOperations {
    /// Makes a folder with all that is missing above it.
    fileprivate func makeFolder(_ path: ItemPath, _ known: inout Set<ItemPath>) async throws {
        if known.contains(path) { return }
        do {
            try await create(folder: path.lastName, at: path.parent, creatingParents: true)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            guard try await attributesOfItem(path: path).isDirectory else { throw error }
        }
        known.insert(path)
    }
}
