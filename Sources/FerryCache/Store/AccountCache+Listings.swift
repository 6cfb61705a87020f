import FerryCore
import Foundation
import Synchronization

extension AccountCache {
    /// Keeps the items of a folder, and forgets what they show to be gone or another.
    ///
    /// - Parameters:
    ///   - items: All items.
    ///   - folder: The folder.
    ///   - version: The version that the storage had then.
    ///   - mark: When it was asked; where something has changed since, or a later answer is kept, it is not kept.
    func keep(listing items: ListedItems, of folder: ItemPath, version: CacheVersion, asked mark: CacheMark) async {
        guard !folder.beginsWithIdentifier else { return }
        let key = CacheKey(account, folder, .listing)
        let answer = KeptAnswer(value: items, key: key, version: version, date: store.now(), mark: mark)
        if let disk = store.disk {
            // Where a tree is listed, those of several folders come at the same time.
            await store.listings.perform(answer) { [store] in store.keep($0, disk) }
        } else {
            store.keep([answer], nil)
        }
        await store.trimMemoryUnderPressure()
    }
}

extension CacheStore {
    /// Keeps listings, in the order in which they came; it may wait for the disk.
    ///
    /// An answer that came before one of them, and that this one shows to be wrong, is not kept either.
    fileprivate func keep(_ listings: [KeptAnswer<ListedItems>], _ disk: DiskLevel?) {
        let keys = listings.map(\.key)
        let onDisk = disk?.perform { try $0.children(of: keys) } ?? []
        var changes: [CacheChange] = []
        for (index, listing) in listings.enumerated() {
            var kept = children(of: listing.key, also: onDisk.indices.contains(index) ? onDisk[index] : [:])
            for earlier in listings[..<index] { kept.note(earlier, in: listing.key) }
            if kept.isEmpty { continue }
            let before = listingBefore(listing.key, disk) ?? []
            guard let now = listing.value.items(in: listing.key.path) else { continue }
            changes += CacheRemoval.removals(of: Array(kept.values), before: before, now: now)
                .map { $0.change(of: listing.key.account) }
        }
        if !changes.isEmpty { applyNow(changes) { try $0.apply($1) } }
        let isKept = listings.filter { keepInMemory($0) }
        if let disk { write(isKept.compactMap(\.onDisk), to: disk) }
    }

    /// The items of which, or below which, something is kept.
    private func children(of folder: CacheKey, also onDisk: [ItemPath: KeptChild]) -> [ItemPath: KeptChild] {
        state.withLock { $0.level.children(of: folder.path, of: folder.account) }.merging(onDisk) { first, second in
            var both = first
            both.parts.formUnion(second.parts)
            both.hasBelow = first.hasBelow || second.hasBelow
            return both
        }
    }

    private func listingBefore(_ key: CacheKey, _ disk: DiskLevel?) -> [FileObject]? {
        if let items = state.withLock({ $0.level.peek(key) })?.value as? [FileObject] { return items }
        guard let found = disk?.perform({ try $0.value(key) }) ?? nil else { return nil }
        return [FileObject](cacheBytes: found.data, at: key.path)
    }
}

extension [ItemPath: KeptChild] {
    /// Notes a listing that will be kept, if it is of something in a folder.
    fileprivate mutating func note(_ listing: KeptAnswer<ListedItems>, in folder: CacheKey) {
        let key = listing.key
        guard key.account == folder.account, key.path.isBelow(folder.path),
            let child = key.path.child(below: folder.path)
        else { return }
        note(child, key.path == child ? KeptChild.Part(kind: .listing, version: listing.version) : nil)
    }
}
