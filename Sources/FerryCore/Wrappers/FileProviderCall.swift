/// One call of a provider's method, as a wrapper sees it.
public struct FileProviderCall: Sendable, Hashable {
    /// The method that is called, by its protocol's names.
    public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
        /// A page of ``FileProviderBasic/directoryListing(path:)``.
        case directoryListing
        /// ``FileProviderBasic/attributesOfItem(path:)``.
        case attributesOfItem
        /// ``FileProviderBasic/storageProperties()``.
        case storageProperties
        /// A page of ``FileProviderBasic/searchFiles(path:recursive:query:)``.
        case searchFiles
        /// ``FileProviderBasic/isReachable()``.
        case isReachable
        /// ``FileProviderOperations/create(folder:at:creatingParents:)``.
        case createFolder
        /// ``FileProviderOperations/moveItem(path:to:overwrite:reporting:)``.
        case moveItem
        /// ``FileProviderOperations/copyItem(path:to:overwrite:reporting:)``.
        case copyItem
        /// ``FileProviderOperations/removeItem(path:reporting:)``.
        case removeItem
        /// ``FileProviderOperations/copyItem(localFile:to:overwrite:reporting:)``.
        case upload
        /// ``FileProviderOperations/copyItem(path:toLocalURL:overwrite:reporting:)``.
        case download
        /// Both forms of ``FileProviderReadWrite/contents(path:reporting:)``.
        case contents
        /// ``FileProviderReadWrite/writeContents(path:contents:atomically:overwrite:reporting:)``.
        case writeContents
        /// ``FileProviderReadWriteProgressive/contentStream(path:range:reporting:)``.
        case contentStream
        /// ``FileProviderConditionalReading/contentStream(path:range:unless:reporting:)``.
        case changedContentStream
        /// ``FileProviderReadWriteProgressive/writeStream(path:contents:length:options:reporting:)``.
        case writeStream
        /// ``FileProviderBulkWriting/writeFiles(_:overwrite:)``.
        case writeFiles
        /// ``FileProviderFolderWriting/writeFolder(path:lanes:files:)``.
        case writeFolder
        /// ``FileProviderPartialWriting/partialWriteLimits(length:)``.
        case partialWriteLimits
        /// ``FileProviderPartialWriting/beginPartialWrite(path:length:options:noting:)``.
        case beginPartialWrite
        /// ``FileProviderPartialWriting/writePart(of:offset:contents:length:wrote:)``.
        case writePart
        /// ``FileProviderPartialWriting/writtenRanges(of:)``, and the checksum of one of them.
        case writtenRanges
        /// ``FileProviderPartialWriting/finishPartialWrite(_:options:)``.
        case finishPartialWrite
        /// ``FileProviderPartialWriting/discardPartialWrite(_:)``.
        case discardPartialWrite
        /// ``FileProviderBlockUpdating/blockChecksums(path:ranges:blockSize:)``.
        case blockChecksums
        /// ``FileProviderBlockUpdating/updateBlocks(path:edits:length:options:)``.
        case updateBlocks
        /// ``FileProviderSymbolicLink/create(symbolicLink:withDestination:)``.
        case createSymbolicLink
        /// ``FileProviderSymbolicLink/destination(ofSymbolicLink:)``.
        case destinationOfSymbolicLink
        /// ``FileProviderItemAttributes/setAttributes(_:path:)``.
        case setAttributes
        /// ``FileProviderBatchOperations/removeItems(_:)``, of which a call names the first item.
        case removeItems
        /// ``FileProviderBatchOperations/moveItems(_:overwrite:)``, of which a call names the first item.
        case moveItems
        /// ``FileProviderBatchOperations/setAttributes(_:)``, of which a call names the first item.
        case setAttributesOfItems
        /// ``FileProviderItemAttributes/extendedAttributes(path:)``.
        case extendedAttributes
        /// ``FileProviderChecksums/checksum(_:path:)``.
        case checksum
        /// ``FileProviderMonitor/changes(under:)``.
        case changesUnder
        /// ``FileProviderChangeTracking/currentAnchor()``.
        case currentAnchor
        /// ``FileProviderChangeTracking/changes(since:)``.
        case changesSince
        /// ``FileProviderChangeTracking/waitForChanges(since:timeout:)``.
        case waitForChanges
        /// ``FileProviderSharing/publicLink(to:options:)``.
        case publicLink
        /// ``FileProviderSharing/publicLinks(to:)``.
        case publicLinks
        /// ``FileProviderSharing/revoke(_:)``.
        case revokeLink
        /// ``FileProviderTrash/trashItem(path:)``.
        case trashItem
        /// ``FileProviderTrash/trashedItems()``.
        case trashedItems
        /// ``FileProviderTrash/restoreFromTrash(_:to:)``.
        case restoreFromTrash
        /// ``FileProviderTrash/emptyTrash(_:)``.
        case emptyTrash
        /// ``FileProviderVersioning/versions(of:)``.
        case versions
        /// ``FileProviderVersioning/contentStream(of:path:)``.
        case versionStream
        /// ``FileProviderVersioning/restore(_:of:)``.
        case restoreVersion
        /// ``ExtendedFileProvider/thumbnailOfFile(path:options:)``.
        case thumbnailOfFile
        /// ``ExtendedFileProvider/thumbnailsOfFiles(paths:options:)``, also of listed files; a call names the first of
        /// them.
        case thumbnailsOfFiles
        /// ``ExtendedFileProvider/propertiesOfFile(path:)``.
        case propertiesOfFile
        /// ``FileProviderLocking/lock(path:options:)``.
        case lock
        /// ``FileProviderLocking/refresh(_:timeout:)``.
        case refreshLock
        /// ``FileProviderLocking/unlock(_:)``.
        case unlock
        /// ``FileProviderLocking/locks(on:)``.
        case locks
        /// ``FileProviderSettingAside/setAside(path:name:copying:)``.
        case setAside
        /// ``FileProviderSettingAside/bringBack(_:to:overwrite:)``.
        case bringBack
        /// ``FileProviderSettingAside/itemsSetAside()``, and whether one of them is there.
        case itemsSetAside
        /// ``FileProviderSettingAside/discardSetAside(_:)``.
        case discardSetAside
        /// ``FileProviderUndoable/undo()``.
        case undo
        /// ``FileProviderUndoable/redo()``.
        case redo
        /// ``FileProviderTheming/theme()``.
        case theme
        /// ``FileProviderServerDescribing/describeServer()``, which may try the server out with a temporary file.
        case describeServer
        /// ``FileProviderLoginRevoking/revokeLogin()``.
        case revokeLogin
        /// The question whether two paths lead to one item.
        case isSameItem
    }

    /// The method that is called.
    public let method: Method

    /// The item concerned; the source of a copy or move.
    public let path: ItemPath

    /// The path that a copy or move goes to.
    public let target: ItemPath?

    /// Indicates whether a second call after a lost answer of the first does no harm and gives the same answer.
    public let isIdempotent: Bool

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - method: Which method.
    ///   - path: The item concerned.
    ///   - target: Where a copy or move goes.
    ///   - isIdempotent: `true` if it can be repeated; by default the calls that change nothing can.
    public init(_ method: Method, path: ItemPath = .root, target: ItemPath? = nil, isIdempotent: Bool? = nil) {
        self.method = method
        self.path = path
        self.target = target
        self.isIdempotent = isIdempotent ?? !method.changesStorage
    }
}

extension FileProviderCall.Method {
    /// Indicates whether the call changes anything on the storage.
    public var changesStorage: Bool {
        switch self {
        case .createFolder, .moveItem, .copyItem, .removeItem, .upload, .writeContents, .writeStream, .writeFiles,
            .writeFolder, .beginPartialWrite, .writePart, .finishPartialWrite, .discardPartialWrite, .updateBlocks,
            .createSymbolicLink, .publicLink, .revokeLink, .trashItem, .restoreFromTrash, .emptyTrash, .restoreVersion,
            .lock, .refreshLock, .unlock, .setAside, .bringBack, .discardSetAside, .undo, .redo, .setAttributes,
            .describeServer, .removeItems, .moveItems, .setAttributesOfItems:
            true
        case .directoryListing, .attributesOfItem, .storageProperties, .searchFiles, .isReachable, .download, .contents,
            .contentStream, .changedContentStream, .partialWriteLimits, .writtenRanges, .destinationOfSymbolicLink,
            .extendedAttributes, .checksum, .blockChecksums, .changesUnder, .currentAnchor, .changesSince,
            .waitForChanges, .publicLinks, .trashedItems, .itemsSetAside, .versions, .versionStream, .locks,
            .thumbnailOfFile, .thumbnailsOfFiles, .propertiesOfFile, .theme, .revokeLogin, .isSameItem:
            false
        }
    }
}
