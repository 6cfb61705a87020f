public import FerryCore
public import Foundation

/// A provider that remembers what the storage has said.
///
/// ```swift
/// let files = CachedFileProvider(webdav, store: CacheStore())
/// let items = try await files.contentsOfDirectory(path: "/photos")          // asks once, then remembers
/// let fresh = files.withCaching(.doNotReturnCachedResult)                   // asks always
/// let offline = files.withCaching(.onlyIfCached)                            // never asks
/// ```
///
/// Contents of files are given from the cache only after the storage has said that it still has the same; listings and
/// attributes are given without asking: see ``CachingOptions``. Changes through the provider are right at once;
/// changes by others are noticed when the storage is asked, or reports them: see `startInvalidating(every:)`.
public final class CachedFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    /// Those that read past what is kept of contents.
    public static var refusedAbilities: Set<String> {
        ["FileProviderWholeReading", "FileProviderBulkReading", "FileProviderListedReading"]
    }

    /// The provider that is wrapped.
    public let base: Base

    /// The use that reading calls make of the cache.
    public let options: CachingOptions

    let engine: CacheEngine

    /// Wraps a provider.
    ///
    /// - Parameters:
    ///   - base: The provider to wrap.
    ///   - store: Where answers are kept.
    ///   - account: The account that answers are kept for; by default that of the base's user at the base's URL. Give
    ///     one where the base has no URL or no user's name, if what is kept shall be found again by another process.
    ///   - options: How reading calls use the cache.
    ///   - settings: The settings for work that is done before anybody asks.
    ///   - thumbnailMaker: The maker of thumbnails on this machine, of files that the storage has none of.
    ///   - now: The clock.
    public init(
        _ base: Base,
        store: CacheStore,
        account: CacheAccount? = nil,
        options: CachingOptions = [],
        settings: CacheSettings = CacheSettings(),
        thumbnailMaker: (any ThumbnailMaker)? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.base = base
        self.options = options
        engine = CacheEngine(
            base,
            account: store.account(account ?? CacheAccount(of: base)),
            settings: settings,
            thumbnailMaker: thumbnailMaker,
            now: now
        )
    }

    private init(_ other: CachedFileProvider, options: CachingOptions) {
        base = other.base
        engine = other.engine
        self.options = options
    }

    /// The same provider with other options: a light copy, which shares all that is kept and under way.
    ///
    /// - Parameter options: How reading calls use the cache.
    /// - Returns: The copy.
    public func withCaching(_ options: CachingOptions) -> CachedFileProvider {
        CachedFileProvider(self, options: options)
    }

    /// The entries that are kept for the account.
    public var kept: AccountCache { engine.account }

    /// Lets calls through, and forgets what they change.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - body: The call itself.
    /// - Returns: The value that the base returns.
    /// - Throws: Any error that the base throws; `URLError.resourceUnavailable` for questions with
    ///   ``CachingOptions/onlyIfCached``.
    public func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if call.method.changesStorage {
            return try await engine.changing(CacheEffect.effects(of: call), body)
        }
        if options.contains(.onlyIfCached), call.method != .partialWriteLimits, call.method != .writtenRanges {
            throw URLError.notCached(call.path)
        }
        return try await body()
    }
}

extension CachedFileProvider: FileProviderBasicRemote where Base: FileProviderBasicRemote {}
extension CachedFileProvider: ConfigurableFileProvider where Base: ConfigurableFileProvider {}
extension CachedFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension CachedFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension CachedFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension CachedFileProvider: FileProviderConditionalReading where Base: FileProviderConditionalReading {}
extension CachedFileProvider: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {}
extension CachedFileProvider: FileProviderMonitor where Base: FileProviderMonitor {}
extension CachedFileProvider: FileProviderChangeTracking where Base: FileProviderChangeTracking {}
extension CachedFileProvider: FileProviderSharing where Base: FileProviderSharing {}
extension CachedFileProvider: FileProviderTrash where Base: FileProviderTrash {}
extension CachedFileProvider: FileProviderVersioning where Base: FileProviderVersioning {}
extension CachedFileProvider: FileProviderBulkWriting where Base: FileProviderBulkWriting {}
extension CachedFileProvider: FileProviderFolderWriting where Base: FileProviderFolderWriting {}
extension CachedFileProvider: FileProviderPartialWriting where Base: FileProviderPartialWriting {}
extension CachedFileProvider: FileProviderLearning where Base: FileProviderLearning {
    /// Asks the storage what it is, if nobody has, and it may be asked.
    ///
    /// - Throws: Any error that the base throws.
    package func learnAboutServer() async throws {
        if !options.contains(.onlyIfCached) { try await base.learnAboutServer() }
    }

    /// Lets the storage find it out, if it may be asked.
    ///
    /// - Throws: Any error that the base throws.
    package func learnAboutDotNames() async throws {
        if !options.contains(.onlyIfCached) { try await base.learnAboutDotNames() }
    }
}
extension CachedFileProvider: FileProviderTreeListing where Base: FileProviderTreeListing {}
extension CachedFileProvider: FileProviderLocking where Base: FileProviderLocking {}
extension CachedFileProvider: ExtendedFileProvider where Base: ExtendedFileProvider {}
extension CachedFileProvider: FileProviderSettingAside where Base: FileProviderSettingAside {}
extension CachedFileProvider: FileProviderUndoable where Base: FileProviderUndoable {}
extension CachedFileProvider: FileProviderItemAttributes where Base: FileProviderItemAttributes {}
extension CachedFileProvider: FileProviderBatchOperations where Base: FileProviderBatchOperations {}
extension CachedFileProvider: FileProviderDirectCopying where Base: FileProviderDirectCopying {}
extension CachedFileProvider: FileProviderChecksums where Base: FileProviderChecksums {}
extension CachedFileProvider: FileProviderBlockUpdating where Base: FileProviderBlockUpdating {}
extension CachedFileProvider: FileProviderTheming where Base: FileProviderTheming {}
extension CachedFileProvider: FileProviderServerDescribing where Base: FileProviderServerDescribing {}
extension CachedFileProvider: FileProviderLoginRevoking where Base: FileProviderLoginRevoking {}
extension CachedFileProvider: FileProviderNameFolding where Base: FileProviderNameFolding {}
extension CachedFileProvider: FileProviderDirectPartCopying where Base: FileProviderDirectPartCopying {}
