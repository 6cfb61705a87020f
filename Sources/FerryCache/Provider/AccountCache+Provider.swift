import FerryCore
import Synchronization

extension AccountCache {
    /// Returns whether nothing has changed, as far as this process knows, since the storage was asked.
    ///
    /// - Parameters:
    ///   - kind: What it was asked for.
    ///   - path: Of which item.
    ///   - mark: When.
    /// - Returns: Whether the answer is one to a question of now.
    func isCurrent(_ kind: CacheKind, _ path: ItemPath, since mark: CacheMark) -> Bool {
        store.state.withLock { $0.isCurrent(CacheKey(account, path, kind), since: mark.serial) }
    }
}
