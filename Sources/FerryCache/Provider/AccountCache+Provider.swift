import FerryCore
import Synchronization

extension AccountCache {
    /// Returns whether nothing has changed, as far as this process knows, since the storage was asked.
    ///
    /// - Parameters:
    ///   - kind: The kind of the question.
    ///   - path: Of which item.
    ///   - mark: When.
    /// - Returns: `true` if the answer is as good as one to a question of now.
    func isCurrent(_ kind: CacheKind, _ path: ItemPath, since mark: CacheMark) -> Bool {
        store.state.withLock { $0.isCurrent(CacheKey(account, path, kind), since: mark.serial) }
    }
}
