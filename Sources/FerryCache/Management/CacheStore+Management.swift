import FerryCore
import Foundation
import Synchronization

extension CacheStore {
    /// Returns how much is kept, by kind and by account.
    ///
    /// - Returns: The figures.
    public func usage() async -> CacheUsage {
        if let disk, let usage = await CacheThreads.run({ disk.perform { try $0.usage() } }) {
            let memory = state.withLock { $0.level.bytes }
            return CacheUsage(parts: usage.parts, diskBytes: usage.bytes, memoryBytes: memory, isOnDisk: true)
        }
        return state.withLock { state in
            var sums: [CacheAccount: [CacheKind: (count: Int, bytes: Int64)]] = [:]
            for key in state.level.keys {
                let bytes = Int64(state.level.peek(key)?.cost ?? 0)
                let old = sums[key.account]?[key.kind] ?? (0, 0)
                sums[key.account, default: [:]][key.kind] = (old.count + 1, old.bytes + bytes)
            }
            let parts = sums.keys.sorted().flatMap { account in
                CacheKind.allCases.compactMap { kind in
                    sums[account]?[kind].map {
                        CacheUsage.Part(account: account, kind: kind, count: $0.count, bytes: $0.bytes)
                    }
                }
            }
            return CacheUsage(parts: parts, diskBytes: 0, memoryBytes: state.level.bytes, isOnDisk: false)
        }
    }

    /// Changes how much is kept; what is too much is forgotten at once.
    ///
    /// - Parameter limits: The new limits.
    public func setLimits(_ limits: CacheLimits) async {
        state.withLock { state in
            state.limits = limits
            state.level.setLimit(limits.memoryBytes)
        }
        await writeUses()
        guard let disk else { return }
        await CacheThreads.run { disk.setLimit(limits.diskBytes) }
    }

    /// The accounts that something is kept for.
    ///
    /// - Returns: The accounts, in their order.
    public func accounts() async -> [CacheAccount] {
        if let disk, let accounts = await CacheThreads.run({ disk.perform { try $0.keptAccounts() } }) {
            return accounts.map(\.account).sorted()
        }
        return state.withLock { state in Set(state.level.keys.map(\.account)) }.sorted()
    }

    /// All that is kept.
    ///
    /// - Returns: The entries, in the order of accounts, paths, kinds and variants.
    public func entries() -> CacheEntries { entries(of: nil, below: .root, kinds: Set(CacheKind.allCases)) }

    /// Forgets everything.
    public func removeAll() async {
        let change = CacheChange(account: nil, path: .root, below: true, kinds: nil)
        state.withLock { $0.apply(change) }
        guard let disk else { return }
        latest.withLock { $0.change() }
        await CacheThreads.run { [pictures] in
            disk.removeAll()
            pictures?.remove(nil, evenUnused: true)
        }
        latest.withLock { $0.change() }
    }

    /// Returns whether all that was to be forgotten is: a folder that this process may not write keeps what it has.
    ///
    /// - Returns: `true` also where nothing is kept on the disk.
    package func hasForgotten() -> Bool { disk?.hasMissedChange != true }

    /// Waits until it is noted what was used lately, which is done now and then by itself: for processes that end soon.
    public func flush() async { await writeUses() }

    func entries(of account: CacheAccount?, below path: ItemPath, kinds: Set<CacheKind>) -> CacheEntries {
        CacheEntries { [self] last in
            if let disk {
                let page = await CacheThreads.run {
                    disk.perform { try $0.entries(of: account, below: path, kinds: kinds, after: last) }
                }
                if let page { return page }
            }
            return memoryEntries { key in
                (account == nil || key.account == account) && kinds.contains(key.kind)
                    && (path.isRoot || key.path == path || key.path.isBelow(path))
            }
            .filter { entry in last.map { $0.isBefore(entry) } ?? true }
        }
    }

    private func memoryEntries(where matches: (CacheKey) -> Bool) -> [CacheEntry] {
        let found = state.withLock { state in
            state.level.keys.filter(matches).compactMap { key in state.level.peek(key).map { (key, $0) } }
        }
        return found.map { CacheEntry($0, $1) }.sorted { $0.isBefore($1) }
    }
}

extension CacheEntry {
    fileprivate init(_ key: CacheKey, _ entry: MemoryLevel.Entry) {
        let contents = entry.value as? MemoryContents
        self.init(
            account: key.account,
            path: key.path,
            kind: key.kind,
            variant: key.variant,
            eTag: entry.version.eTag,
            size: entry.version.size ?? contents?.length,
            modifiedDate: entry.version.modified.map { Date(timeIntervalSinceReferenceDate: $0) },
            bytes: Int64(entry.cost),
            date: entry.date,
            isWhole: contents.map { contents in contents.length.map { contents.ranges.covers(0..<$0) } ?? false }
                ?? true
        )
    }

    /// The order in which entries are listed.
    func isBefore(_ other: CacheEntry) -> Bool {
        if account != other.account { return account < other.account }
        if path != other.path { return path.string.utf8.lexicographicallyPrecedes(other.path.string.utf8) }
        if kind != other.kind { return kind.rawValue < other.kind.rawValue }
        return variant.utf8.lexicographicallyPrecedes(other.variant.utf8)
    }
}
