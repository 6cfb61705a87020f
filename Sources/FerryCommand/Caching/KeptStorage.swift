import FerryCache
package import FerryCore

/// A storage of which something is kept on this machine.
protocol KeptStorage {
    /// The same, of which all is asked anew and kept.
    var fresh: any Storage { get }
}

extension CachedFileProvider: KeptStorage where Base: FileProvider & FileProviderReadWriteProgressive {
    var fresh: any Storage { withCaching(.doNotReturnCachedResult) }
}

extension UndoableFileProvider: KeptStorage where Base: KeptStorage {
    var fresh: any Storage { Self.hiding(base.fresh) }

    private static func hiding<Kept: Storage>(_ storage: Kept) -> any Storage {
        UndoableFileProvider<Kept>(hidingIn: storage)
    }
}

extension UndoableFileProvider: ListedItemPicturing where Base: ListedItemPicturing {
    package func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail {
        try await base.thumbnail(of: item, options: options)
    }
}
