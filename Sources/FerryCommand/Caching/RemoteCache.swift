import FerryCache
import FerryCore
import Foundation
import Logging

/// The cache of remotes on this machine, for all runs of the command; opened when it is first needed.
final class RemoteCache {
    /// Turns it off, with the value `off`.
    static let variable = "FERRY_CACHE"

    /// Its folder, absolute; it need not exist.
    let folder: String

    /// Indicates whether nothing is to be kept in this run, nor taken from it.
    let isOff: Bool

    private let folders: UserFolders
    private let logger: Logger?
    private var opened: CacheStore?

    /// Begins; nothing is read or made yet.
    ///
    /// - Parameters:
    ///   - folders: Where a person's programs keep their things.
    ///   - environment: `FERRY_CACHE=off` is for none.
    ///   - logger: Where to log; nowhere when `nil`.
    init(folders: UserFolders, environment: [String: String], logger: Logger?) {
        self.folders = folders
        self.logger = logger
        folder = folders.cache
        isOff = environment[Self.variable]?.lowercased() == "off"
    }

    /// Indicates whether anything can have been kept.
    var exists: Bool { access(folder, F_OK) == 0 }

    /// The store for who only forgets, whatever the settings are like.
    ///
    /// - Returns: The store; the same as ``store()`` where that can be had.
    func storeToForget() async -> CacheStore {
        do {
            return try await store()
        } catch {
            logger?.debug("the cache's settings can't be read", metadata: ["error": "\(error)"])
            let limits = CacheLimits(memoryBytes: 0, diskBytes: .max)
            return CacheStore(at: URL(filePath: folder), limits: limits, logger: logger)
        }
    }

    /// Notes what of it was used, if anything was.
    func flush() async { await opened?.flush() }

    /// The store, with the limit that a person wants.
    ///
    /// - Returns: The store; the same each time.
    /// - Throws: `CocoaError` that says what is wrong with the settings.
    func store() async throws -> CacheStore {
        if let opened { return opened }
        let settings = try await BlockingWork.run { [folders] in try CachePreferences.read(folders) }
        // One run has little use for what it has read before.
        var limits = CacheLimits(memoryBytes: 0)
        if let limit = settings.limit { limits.diskBytes = limit }
        let store = CacheStore(at: URL(filePath: folder), limits: limits, logger: logger)
        opened = store
        return store
    }
}
