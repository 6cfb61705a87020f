public import FerryCore
import Foundation

/// A provider whose files have thumbnails and properties, whatever its storage knows of such things.
///
/// ```swift
/// let photos = MediaFileProvider(webdav)
/// let small = try await photos.thumbnailOfFile(path: "/beach.jpg", options: ThumbnailOptions(width: 256, height: 256))
/// let facts = try await photos.propertiesOfFile(path: "/beach.jpg")
/// ```
///
/// Where the storage makes thumbnails itself, as a Nextcloud does, those are taken: nothing of the file comes over the line
/// then. The generator makes those that the storage has none of, pages other than the first, and what is to be of
/// another format. Properties are always the file's own words, so that there are the same ones everywhere; only of files that
/// the generator doesn't know, the storage is asked.
///
/// Of a file no more is read than is needed: of a photo, its header, or for a large thumbnail all of it. A storage that can't
/// give parts of files (``/FerryCore/FileProviderCapabilities/readsRanges``) is asked for all of it, up to 64 MiB.
public struct MediaFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    /// Thumbnails and properties.
    public static var addedAbilities: Set<String> { ["ExtendedFileProvider"] }

    /// The provider that is wrapped.
    public let base: Base

    /// The maker of thumbnails and reader of properties.
    public let generator: MediaGenerator

    /// Wraps a provider.
    ///
    /// - Parameters:
    ///   - base: The provider to wrap.
    ///   - generator: The generator that makes thumbnails and reads properties; it bounds how many files are worked on
    ///     at a time.
    public init(_ base: Base, generator: MediaGenerator = MediaGenerator()) {
        self.base = base
        self.generator = generator
    }
}

extension MediaFileProvider: FileProviderBasicRemote where Base: FileProviderBasicRemote {}
extension MediaFileProvider: ConfigurableFileProvider where Base: ConfigurableFileProvider {}
extension MediaFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension MediaFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension MediaFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension MediaFileProvider: FileProviderConditionalReading where Base: FileProviderConditionalReading {}
extension MediaFileProvider: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {}
extension MediaFileProvider: FileProviderMonitor where Base: FileProviderMonitor {}
extension MediaFileProvider: FileProviderChangeTracking where Base: FileProviderChangeTracking {}
extension MediaFileProvider: FileProviderSharing where Base: FileProviderSharing {}
extension MediaFileProvider: FileProviderTrash where Base: FileProviderTrash {}
extension MediaFileProvider: FileProviderVersioning where Base: FileProviderVersioning {}
extension MediaFileProvider: FileProviderBulkWriting where Base: FileProviderBulkWriting {}
extension MediaFileProvider: FileProviderFolderWriting where Base: FileProviderFolderWriting {}
extension MediaFileProvider: FileProviderPartialWriting where Base: FileProviderPartialWriting {}
extension MediaFileProvider: FileProviderLearning where Base: FileProviderLearning {}
extension MediaFileProvider: FileProviderTreeListing where Base: FileProviderTreeListing {}
extension MediaFileProvider: FileProviderLocking where Base: FileProviderLocking {}
extension MediaFileProvider: FileProviderUndoable where Base: FileProviderUndoable {}
extension MediaFileProvider: FileProviderSettingAside where Base: FileProviderSettingAside {}
extension MediaFileProvider: FileProviderItemAttributes where Base: FileProviderItemAttributes {}
extension MediaFileProvider: FileProviderBatchOperations where Base: FileProviderBatchOperations {}
extension MediaFileProvider: FileProviderDirectCopying where Base: FileProviderDirectCopying {}
extension MediaFileProvider: FileProviderChecksums where Base: FileProviderChecksums {}
extension MediaFileProvider: FileProviderBlockUpdating where Base: FileProviderBlockUpdating {}
extension MediaFileProvider: FileProviderTheming where Base: FileProviderTheming {}
extension MediaFileProvider: FileProviderServerDescribing where Base: FileProviderServerDescribing {}
extension MediaFileProvider: FileProviderLoginRevoking where Base: FileProviderLoginRevoking {}
extension MediaFileProvider: FileProviderNameFolding where Base: FileProviderNameFolding {}
extension MediaFileProvider: FileProviderWholeReading where Base: FileProviderWholeReading {}
extension MediaFileProvider: FileProviderBulkReading where Base: FileProviderBulkReading {}
extension MediaFileProvider: FileProviderListedReading where Base: FileProviderListedReading {}
extension MediaFileProvider: FileProviderDirectPartCopying where Base: FileProviderDirectPartCopying {}
