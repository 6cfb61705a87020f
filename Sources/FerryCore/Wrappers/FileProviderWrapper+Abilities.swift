public import Foundation

// The abilities that only some storages have, passed on.

extension FileProviderWrapper where Base: FileProviderBasicRemote {
    /// The base's.
    public var transport: Base.Transport { base.transport }

    /// The base's.
    public var cache: Base.Cache? { base.cache }

    /// Invalidates the base.
    public func invalidate() async { await base.invalidate() }
}

extension FileProviderWrapper where Base: ConfigurableFileProvider {
    /// The base's: a wrapper is not part of it.
    public var configuration: ProviderConfiguration { base.configuration }
}

extension FileProviderWrapper where Base: FileProviderConditionalReading {
    /// Passes the call.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        unless eTag: String,
        reporting progress: Progress?
    ) async throws -> FileContentStream? {
        try await pass(FileProviderCall(.changedContentStream, path: path)) {
            try await base.contentStream(path: path, range: range, unless: eTag, reporting: progress)
        }
    }
}

extension FileProviderWrapper where Base: FileProviderSymbolicLink {
    /// Passes the call.
    public func create(symbolicLink path: ItemPath, withDestination destination: String) async throws {
        try await pass(FileProviderCall(.createSymbolicLink, path: path)) {
            try await base.create(symbolicLink: path, withDestination: destination)
        }
    }

    /// Passes the call.
    public func destination(ofSymbolicLink path: ItemPath) async throws -> String {
        try await pass(FileProviderCall(.destinationOfSymbolicLink, path: path)) {
            try await base.destination(ofSymbolicLink: path)
        }
    }
}

extension FileProviderWrapper where Base: FileProviderMonitor {
    /// Passes the call.
    public func changes(under path: ItemPath) async throws -> FileChanges {
        try await pass(FileProviderCall(.changesUnder, path: path)) { try await base.changes(under: path) }
    }
}

extension FileProviderWrapper where Base: FileProviderChangeTracking {
    /// Passes the call.
    public func currentAnchor() async throws -> ChangeAnchor {
        try await pass(FileProviderCall(.currentAnchor)) { try await base.currentAnchor() }
    }

    /// Passes the call.
    public func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
        try await pass(FileProviderCall(.changesSince)) { try await base.changes(since: anchor) }
    }
}

extension FileProviderWrapper where Self: FileProviderChangeTracking, Base: FileProviderChangeTracking {
    /// Passes the call.
    public func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool {
        try await pass(FileProviderCall(.waitForChanges)) {
            try await base.waitForChanges(since: anchor, timeout: timeout)
        }
    }
}

extension FileProviderWrapper where Base: FileProviderSharing {
    /// Passes the call.
    public func publicLink(to path: ItemPath, options: ShareOptions) async throws -> ShareLink {
        try await pass(FileProviderCall(.publicLink, path: path)) {
            try await base.publicLink(to: path, options: options)
        }
    }

    /// Passes the call.
    public func publicLinks(to path: ItemPath?) async throws -> [ShareLink] {
        try await pass(FileProviderCall(.publicLinks, path: path ?? .root)) { try await base.publicLinks(to: path) }
    }

    /// Passes the call.
    public func revoke(_ link: ShareLink) async throws {
        try await pass(FileProviderCall(.revokeLink, path: link.path)) { try await base.revoke(link) }
    }
}

extension FileProviderWrapper where Base: FileProviderTrash {
    /// The base's.
    public var trashesRemovedItems: Bool { base.trashesRemovedItems }

    /// Passes the call.
    @discardableResult
    public func trashItem(path: ItemPath) async throws -> TrashedItem {
        try await pass(FileProviderCall(.trashItem, path: path)) { try await base.trashItem(path: path) }
    }

    /// Passes the call.
    public func trashedItems() async throws -> [TrashedItem] {
        try await pass(FileProviderCall(.trashedItems)) { try await base.trashedItems() }
    }

    /// Passes the call.
    public func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) async throws {
        try await pass(FileProviderCall(.restoreFromTrash, path: item.originalPath, target: target)) {
            try await base.restoreFromTrash(item, to: target)
        }
    }

    /// Passes the call.
    public func emptyTrash(_ items: [TrashedItem]?) async throws {
        try await pass(FileProviderCall(.emptyTrash)) { try await base.emptyTrash(items) }
    }
}

extension FileProviderWrapper where Self: FileProviderTrash, Base: FileProviderTrash {
    /// The base's.
    public func canRestore(_ item: TrashedItem) async throws -> Bool { try await base.canRestore(item) }
}

extension FileProviderWrapper where Base: FileProviderVersioning {
    /// Passes the call.
    public func versions(of path: ItemPath) async throws -> [FileVersion] {
        try await pass(FileProviderCall(.versions, path: path)) { try await base.versions(of: path) }
    }

    /// Passes the call.
    public func contentStream(of version: FileVersion, path: ItemPath) async throws -> FileContentStream {
        try await pass(FileProviderCall(.versionStream, path: path)) {
            try await base.contentStream(of: version, path: path)
        }
    }

    /// Passes the call.
    public func restore(_ version: FileVersion, of path: ItemPath) async throws {
        try await pass(FileProviderCall(.restoreVersion, path: path)) { try await base.restore(version, of: path) }
    }
}

extension FileProviderWrapper where Base: FileProviderTreeListing {
    /// The base's.
    public func treeListing(path: ItemPath) -> DirectoryListing? { base.treeListing(path: path) }
}

extension FileProviderWrapper where Base: FileProviderLocking {
    /// Passes the call.
    public func lock(path: ItemPath, options: FileLockOptions) async throws -> FileLock {
        try await pass(FileProviderCall(.lock, path: path)) { try await base.lock(path: path, options: options) }
    }

    /// Passes the call.
    public func refresh(_ lock: FileLock, timeout: Duration?) async throws -> FileLock {
        try await pass(FileProviderCall(.refreshLock, path: lock.path)) {
            try await base.refresh(lock, timeout: timeout)
        }
    }

    /// Passes the call.
    public func unlock(_ lock: FileLock) async throws {
        try await pass(FileProviderCall(.unlock, path: lock.path)) { try await base.unlock(lock) }
    }

    /// Passes the call.
    public func locks(on path: ItemPath) async throws -> [FileLock] {
        try await pass(FileProviderCall(.locks, path: path)) { try await base.locks(on: path) }
    }
}

extension FileProviderWrapper where Base: ExtendedFileProvider {
    /// The base's.
    public func thumbnailOfFileSupported(path: ItemPath) -> Bool { base.thumbnailOfFileSupported(path: path) }

    /// The base's.
    public func propertiesOfFileSupported(path: ItemPath) -> Bool { base.propertiesOfFileSupported(path: path) }

    /// Passes the call.
    public func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        try await pass(FileProviderCall(.thumbnailOfFile, path: path)) {
            try await base.thumbnailOfFile(path: path, options: options)
        }
    }

    /// Passes the call.
    public func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        try await pass(FileProviderCall(.propertiesOfFile, path: path)) {
            try await base.propertiesOfFile(path: path)
        }
    }
}

extension FileProviderWrapper where Self: ExtendedFileProvider, Base: ExtendedFileProvider {
    /// Passes the call.
    public func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail {
        try await pass(FileProviderCall(.thumbnailOfFile, path: item.path)) {
            try await base.thumbnail(of: item, options: options)
        }
    }

    /// Passes the call.
    public func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await pass(FileProviderCall(.thumbnailsOfFiles, path: paths.first ?? .root)) {
            try await base.thumbnailsOfFiles(paths: paths, options: options)
        }
    }

    /// Passes the call.
    public func thumbnailsOfFiles(
        listed items: [FileObject],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await pass(FileProviderCall(.thumbnailsOfFiles, path: items.first?.path ?? .root)) {
            try await base.thumbnailsOfFiles(listed: items, options: options)
        }
    }
}

extension FileProviderWrapper where Base: FileProviderSettingAside {
    /// Passes the call.
    public func setAside(path: ItemPath, name: String, copying: Bool) async throws -> String {
        try await pass(FileProviderCall(.setAside, path: path)) {
            try await base.setAside(path: path, name: name, copying: copying)
        }
    }

    /// Passes the call.
    public func bringBack(_ id: String, to target: ItemPath, overwrite: Bool) async throws {
        try await pass(FileProviderCall(.bringBack, path: target)) {
            try await base.bringBack(id, to: target, overwrite: overwrite)
        }
    }

    /// Passes the call.
    public func itemsSetAside() async throws -> [SetAsideItem] {
        try await pass(FileProviderCall(.itemsSetAside)) { try await base.itemsSetAside() }
    }

    /// Passes the call.
    public func isSetAside(_ id: String) async throws -> Bool {
        try await pass(FileProviderCall(.itemsSetAside)) { try await base.isSetAside(id) }
    }

    /// Passes the call.
    public func discardSetAside(_ ids: [String]) async throws {
        try await pass(FileProviderCall(.discardSetAside, isIdempotent: true)) {
            try await base.discardSetAside(ids)
        }
    }
}

extension FileProviderWrapper where Base: FileProviderUndoable {
    /// The base's.
    public func canUndo(operation: FileOperationType) -> Bool { base.canUndo(operation: operation) }

    /// The base's.
    public var canUndo: Bool { base.canUndo }

    /// The base's.
    public var canRedo: Bool { base.canRedo }

    /// Passes the call.
    public func undo() async throws {
        try await pass(FileProviderCall(.undo)) { try await base.undo() }
    }

    /// Passes the call.
    public func redo() async throws {
        try await pass(FileProviderCall(.redo)) { try await base.redo() }
    }
}

extension FileProviderWrapper where Base: FileProviderItemAttributes {
    /// The base's.
    public var settableAttributes: ItemAttributes.Kinds { base.settableAttributes }

    /// Passes the call.
    public func setAttributes(_ attributes: ItemAttributes, path: ItemPath) async throws {
        try await pass(FileProviderCall(.setAttributes, path: path, isIdempotent: true)) {
            try await base.setAttributes(attributes, path: path)
        }
    }

    /// Passes the call.
    public func extendedAttributes(path: ItemPath) async throws -> [String: Data] {
        try await pass(FileProviderCall(.extendedAttributes, path: path)) {
            try await base.extendedAttributes(path: path)
        }
    }
}

extension FileProviderWrapper where Base: FileProviderChecksums {
    /// Passes the call.
    public func checksum(_ kind: ChecksumKind, path: ItemPath) async throws -> String? {
        try await pass(FileProviderCall(.checksum, path: path)) { try await base.checksum(kind, path: path) }
    }
}

extension FileProviderWrapper where Base: FileProviderDirectCopying {
    /// The base's, for sources that are not wrapped.
    public func canCopy(from source: any FileProviderBasic) -> Bool { base.canCopy(from: source) }

    /// Passes the call.
    public func copyItem(
        path: ItemPath,
        of source: any FileProviderBasic,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> CopiedItems {
        try await pass(FileProviderCall(.copyItem, path: path, target: target, isIdempotent: overwrite)) {
            try await base.copyItem(
                path: path,
                of: source,
                to: target,
                overwrite: overwrite,
                reporting: progress,
                onError: onError
            )
        }
    }
}
