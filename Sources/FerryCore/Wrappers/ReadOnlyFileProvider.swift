import Foundation

/// A provider that lets nobody change anything.
///
/// Every call that would change the storage throws `CocoaError.fileWriteVolumeReadOnly` before the base hears of it.
public struct ReadOnlyFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    /// The provider that is protected.
    public let base: Base

    /// Protects a provider.
    ///
    /// - Parameter base: The provider to protect; whoever holds it can still change it.
    public init(_ base: Base) {
        self.base = base
    }

    /// The base's, but read-only.
    public var capabilities: FileProviderCapabilities {
        var capabilities = base.capabilities
        capabilities.isReadOnly = true
        return capabilities
    }

    /// Lets reading pass, and refuses the rest.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - body: The call itself.
    /// - Returns: The value that the base returns.
    /// - Throws: `CocoaError.fileWriteVolumeReadOnly`, or what the base throws.
    public func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if call.method.changesStorage {
            throw CocoaError.file(.fileWriteVolumeReadOnly, path: call.target ?? call.path)
        }
        return try await body()
    }
}

extension ReadOnlyFileProvider: FileProviderBasicRemote where Base: FileProviderBasicRemote {}
extension ReadOnlyFileProvider: ConfigurableFileProvider where Base: ConfigurableFileProvider {}
extension ReadOnlyFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension ReadOnlyFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension ReadOnlyFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension ReadOnlyFileProvider: FileProviderConditionalReading where Base: FileProviderConditionalReading {}
extension ReadOnlyFileProvider: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {}
extension ReadOnlyFileProvider: FileProviderMonitor where Base: FileProviderMonitor {}
extension ReadOnlyFileProvider: FileProviderChangeTracking where Base: FileProviderChangeTracking {}
extension ReadOnlyFileProvider: FileProviderSharing where Base: FileProviderSharing {}
extension ReadOnlyFileProvider: FileProviderTrash where Base: FileProviderTrash {}
extension ReadOnlyFileProvider: FileProviderVersioning where Base: FileProviderVersioning {}
extension ReadOnlyFileProvider: FileProviderBulkWriting where Base: FileProviderBulkWriting {}
extension ReadOnlyFileProvider: FileProviderFolderWriting where Base: FileProviderFolderWriting {}
extension ReadOnlyFileProvider: FileProviderPartialWriting where Base: FileProviderPartialWriting {}
extension ReadOnlyFileProvider: FileProviderLearning where Base: FileProviderLearning {
    /// Nothing can be made here, and so nothing is learnt.
    package func learnAboutDotNames() async throws {}
}
extension ReadOnlyFileProvider: FileProviderTreeListing where Base: FileProviderTreeListing {}
extension ReadOnlyFileProvider: FileProviderLocking where Base: FileProviderLocking {}
extension ReadOnlyFileProvider: ExtendedFileProvider where Base: ExtendedFileProvider {}
extension ReadOnlyFileProvider: FileProviderSettingAside where Base: FileProviderSettingAside {}
extension ReadOnlyFileProvider: FileProviderUndoable where Base: FileProviderUndoable {}
extension ReadOnlyFileProvider: FileProviderItemAttributes where Base: FileProviderItemAttributes {}
extension ReadOnlyFileProvider: FileProviderBatchOperations where Base: FileProviderBatchOperations {}
extension ReadOnlyFileProvider: FileProviderDirectCopying where Base: FileProviderDirectCopying {}
extension ReadOnlyFileProvider: FileProviderChecksums where Base: FileProviderChecksums {}
extension ReadOnlyFileProvider: FileProviderBlockUpdating where Base: FileProviderBlockUpdating {}
extension ReadOnlyFileProvider: FileProviderTheming where Base: FileProviderTheming {}
extension ReadOnlyFileProvider: FileProviderServerDescribing where Base: FileProviderServerDescribing {}
extension ReadOnlyFileProvider: FileProviderLoginRevoking where Base: FileProviderLoginRevoking {}
extension ReadOnlyFileProvider: FileProviderNameFolding where Base: FileProviderNameFolding {}
extension ReadOnlyFileProvider: FileProviderWholeReading where Base: FileProviderWholeReading {}
extension ReadOnlyFileProvider: FileProviderBulkReading where Base: FileProviderBulkReading {}
extension ReadOnlyFileProvider: FileProviderListedReading where Base: FileProviderListedReading {}
extension ReadOnlyFileProvider: FileProviderDirectPartCopying where Base: FileProviderDirectPartCopying {}
