import Foundation
import Synchronization

/// How the memory level and the disk level are kept together.
extension CacheStore {
    /// Learns what other processes have changed, so that nothing of it is shown from memory any more.
    ///
    /// - Returns: The moment until which all is known; `nil` if there is no disk.
    @discardableResult
    func learn() async -> CacheMark.DiskMark? {
        guard let disk else { return nil }
        return await CacheThreads.run { [self] in learnNow(disk) }
    }

    private func learnNow(_ disk: DiskLevel) -> CacheMark.DiskMark? {
        let known = state.withLock { $0.known }
        let news = disk.perform { try $0.news(since: known) }
        guard let news else { return nil }
        if news.mark != known { state.withLock { $0.learn(news.changes, until: news.mark) } }
        return news.mark
    }

    /// Notes changes in memory, and then on the disk for all processes.
    func apply(_ changes: [CacheChange], _ body: @escaping @Sendable (DiskIndex) throws -> Void) async {
        state.withLock { state in
            for change in changes { state.apply(change) }
        }
        guard let disk else { return }
        await CacheThreads.run {
            disk.perform(isChange: true, body)
            disk.perform { try $0.removeDoomed() }
        }
    }

    /// Notes a use, on the disk when there are many, or when something is written anyway.
    func note(_ key: CacheKey, confirmed date: Date? = nil) async {
        guard disk != nil else { return }
        let isMuch = uses.withLock { uses in
            uses.insert(key, confirmed: date)
            return uses.count >= RecentUses.batch
        }
        if isMuch { await writeUses() }
    }

    /// Writes down what was used lately.
    func writeUses() async {
        guard let disk else { return }
        let uses = uses.withLock { $0.take() }
        guard !uses.isEmpty else { return }
        await CacheThreads.run { disk.note(uses) }
    }
}
