import FerryCache
import FerryCore
import FerryUndo

/// A storage of which something is kept on this machine.
protocol CachedStorage {
    /// The same, of which all is asked anew and kept.
    var fresh: any Storage { get }

    /// Writes the files that are kept to another storage.
    ///
    /// - Parameters:
    ///   - path: A file or folder.
    ///   - target: Where to.
    ///   - folder: The folder there that takes what is in `path`.
    /// - Returns: The files that were written, and those that were not.
    /// - Throws: The error that keeps the folder from being made.
    func exportOffline(_ path: ItemPath, to target: any Storage, at folder: ItemPath) async throws -> CacheExport
}

extension CachedFileProvider: CachedStorage where Base: FileProvider & FileProviderReadWriteProgressive {
    var fresh: any Storage { withCaching(.doNotReturnCachedResult) }

    func exportOffline(_ path: ItemPath, to target: any Storage, at folder: ItemPath) async throws -> CacheExport {
        try await exportOffline(below: path, to: target, at: folder)
    }
}

extension UndoableFileProvider: CachedStorage where Base: CachedStorage {
    var fresh: any Storage { Self.hiding(base.fresh) }

    func exportOffline(_ path: ItemPath, to target: any Storage, at folder: ItemPath) async throws -> CacheExport {
        try await base.exportOffline(path, to: target, at: folder)
    }

    private static func hiding<Kept: Storage>(_ storage: Kept) -> any Storage {
        UndoableFileProvider<Kept>(hidingIn: storage)
    }
}
