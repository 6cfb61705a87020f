import FerryCore
import Foundation
import Synchronization

/// The state that all copies of a caching provider share: the kept answers, and the questions under way.
final class CacheEngine: Sendable {
    /// The storage.
    let base: any FileProviderBasic

    /// The kept answers of its account.
    let account: AccountCache

    /// The questions under way.
    let coalescer: RequestCoalescer

    /// The prefetcher that lists folders before anybody asks.
    let prefetcher: FolderPrefetcher?

    /// The reader that reads ahead before anybody asks.
    let readAhead: ReadAhead?

    /// Indicates whether kept contents are asked about by asking for them.
    let validatesByOpening: Bool

    /// Indicates whether an eTag alone tells one content from another.
    let trustsETags: Bool

    /// The maker of thumbnails of files that the storage has none of.
    let thumbnailMaker: (any ThumbnailMaker)?

    /// The paths that may be spellings of one, where that can be.
    let spellings: Spellings?

    let now: @Sendable () -> Date

    /// The task that listens to the storage's changes.
    let watching = Mutex<Task<Void, Never>?>(nil)

    init(
        _ base: any FileProviderBasic,
        account: AccountCache,
        settings: CacheSettings,
        thumbnailMaker: (any ThumbnailMaker)?,
        now: @escaping @Sendable () -> Date
    ) {
        self.base = base
        self.account = account
        self.thumbnailMaker = thumbnailMaker
        validatesByOpening = settings.validatesByOpening
        self.now = now
        coalescer = RequestCoalescer(account: account, isFar: base.isRemote)
        prefetcher = settings.prefetchedFolders > 0 ? FolderPrefetcher(limit: settings.prefetchedFolders) : nil
        readAhead = settings.readAheadBytes > 0 ? ReadAhead(limit: settings.readAheadBytes) : nil
        let capabilities = base.capabilities
        trustsETags = capabilities.eTagsShowContents
        spellings = Spellings(capabilities)
    }

    deinit {
        watching.withLock { $0 }?.cancel()
    }

    /// The version that a listing tells.
    func version(_ item: FileObject) -> CacheVersion { CacheVersion(item, hasChecksums: !trustsETags) }

    /// The version that an answer with content tells.
    func version(_ facts: FileContentFacts) -> CacheVersion { CacheVersion(facts, hasChecksums: !trustsETags) }

    /// Returns whether any later content would have another version than an answer tells.
    ///
    /// - Parameter facts: The facts that the answer tells.
    /// - Returns: `false` if nothing can be told by it later.
    func isProof(_ facts: FileContentFacts) -> Bool {
        (facts.eTag != nil || !facts.isFresh) && isProof(version(facts))
    }

    /// Returns whether any later content would have another version.
    ///
    /// - Parameter version: The version that the storage reports now.
    /// - Returns: `false` if nothing can be told by it later.
    func isProof(_ version: CacheVersion) -> Bool {
        let now = now()
        guard version.isProof(at: now) else { return false }
        guard base.baseURL?.isFileURL == true, let modified = version.modified else { return true }
        // A disk's dates go by ticks of some milliseconds: two changes in one tick can't be told apart.
        return now.timeIntervalSinceReferenceDate - modified > 0.1
    }

    /// Forgets an item, with all below it, of which the storage has said that it is not there.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - error: The storage's error.
    func forget(_ path: ItemPath, after error: any Error) async {
        guard let code = (error as? CocoaError)?.code, code == .fileNoSuchFile || code == .fileReadNoSuchFile,
            !path.beginsWithIdentifier
        else { return }
        await invalidate([.item(path)])
    }
}

extension URLError {
    /// Returns what was asked for is not in the cache, and the storage was not to be asked.
    static func notCached(_ path: ItemPath) -> URLError {
        URLError(
            .resourceUnavailable,
            userInfo: [
                NSFilePathErrorKey: path.string,
                NSLocalizedDescriptionKey: "“\(path)” is not in the cache.",
                NSLocalizedFailureReasonErrorKey: "not in the cache",
                NSLocalizedRecoverySuggestionErrorKey: "ask again when the storage can be reached",
            ]
        )
    }
}
