import FerryCore
public import Foundation
public import Logging
import Synchronization

/// Keeps what storages have said, for any number of accounts: in memory, and on the disk where that works.
///
/// Nothing here fails: what can't be kept isn't, and what can't be read, or makes no sense, was never there.
///
/// Several processes may have a store in the same folder. Everything is done when it is first needed, away from Swift's
/// own threads.
public final class CacheStore: Sendable {
    /// The folder of the disk's part; `nil` for none.
    public let directory: URL?

    let state: Mutex<MemoryState>
    let now: @Sendable () -> Date
    /// The clock by which what is known of other processes' changes gets old.
    let uptime: @Sendable () -> ContinuousClock.Instant
    /// The clock on which the next look at the system's memory is waited for.
    private let clock: any Clock<Duration>
    /// The level on the disk; `nil` if nothing is to be kept there.
    let disk: DiskLevel?
    /// Where thumbnails are put that somebody wants as files; `nil` if nothing is to be on the disk.
    let pictures: PicturesFolder?
    let pressure: MemoryPressure
    private let isWatchingMemory = Mutex(false)
    /// The recent uses that are not noted on the disk yet.
    let uses = Mutex(RecentUses())
    /// The moment until which changes were known a moment ago.
    let latest = Mutex(LatestMark())
    /// The watchers of others' changes, and those whose listings are to be kept.
    let learning = DiskBatcher<Void, CacheMark.DiskMark?>()
    let listings = DiskBatcher<KeptAnswer<ListedItems>, Void>()

    /// Makes a store; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - directory: The `file:` URL of a folder for it alone, that it makes, for its owner only; `nil`, or any other URL,
    ///     keeps things in memory only.
    ///   - limits: How much is kept.
    ///   - now: The clock.
    ///   - logger: Logs at `debug` why something isn't kept on the disk.
    public convenience init(
        at directory: URL? = CacheStore.standardDirectory,
        limits: CacheLimits = CacheLimits(),
        now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger? = nil
    ) {
        self.init(at: directory.flatMap(Self.path), limits: limits, now: now, logger: logger, trace: nil)
    }

    /// Makes a store that tells each statement of its index, and looks at the system's memory in some way.
    init(
        at directory: String?,
        limits: CacheLimits,
        now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger? = nil,
        pressure: MemoryPressure = MemoryPressure(),
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        clock: any Clock<Duration> = ContinuousClock(),
        trace: (@Sendable (String) -> Void)?
    ) {
        self.directory = directory.map { URL(filePath: $0, directoryHint: .isDirectory) }
        pictures = directory.map { PicturesFolder(path: $0 + "/pictures") }
        self.now = now
        self.uptime = uptime
        self.clock = clock
        self.pressure = pressure
        disk = directory.map { DiskLevel($0, limit: limits.diskBytes, logger: logger, trace: trace) }
        state = Mutex(MemoryState(limits: limits))
    }

    private static func path(_ url: URL) -> String? {
        guard url.isFileURL else { return nil }
        var path = url.absoluteURL.path(percentEncoded: false)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// The entries that are kept for one account.
    ///
    /// - Parameter account: The account.
    /// - Returns: A small value.
    public func account(_ account: CacheAccount) -> AccountCache {
        AccountCache(account: account, store: self)
    }

    /// The limits of what is kept.
    public var limits: CacheLimits { state.withLock { $0.limits } }

    /// Empties the memory level; what is on the disk stays.
    ///
    /// When the system is short of memory, that happens by itself, within some seconds: where some program has waited for
    /// memory in a tenth of the last ten seconds (Linux), or the system warns of it (Apple's).
    public func trimMemory() {
        state.withLock { $0.level.shrink(to: 0) }
    }

    /// Empties the memory level if the system is short of memory: now, and later as long as there is anything in it.
    func trimMemoryUnderPressure() async {
        guard state.withLock({ $0.level.bytes > 0 }) else { return }
        watchMemory()
        if await pressure.isFelt() { trimMemory() }
    }

    /// Looks at the system's memory now and then, also while nobody keeps anything; ends when nothing is in memory.
    private func watchMemory() {
        let isFirst = isWatchingMemory.withLock { isWatching in
            defer { isWatching = true }
            return !isWatching
        }
        guard isFirst else { return }
        // It outlives whoever has just kept something, and is no part of that work: neither its cancellation and urgency
        // nor its task-local values (who hears of overloads, what is recorded) are this one's. The store ends it.
        Task.detached(priority: .utility) { [weak self, clock, pause = pressure.idlePause] in
            while true {
                do { try await clock.sleep(for: pause) } catch { return }
                guard let self, !self.endsWatching() else { return }
                if await self.pressure.isFelt() { self.trimMemory() }
            }
        }
    }

    /// Returns whether there is nothing to look after any more.
    private func endsWatching() -> Bool {
        isWatchingMemory.withLock { isWatching in
            isWatching = state.withLock { $0.level.bytes > 0 }
            return !isWatching
        }
    }
}
