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
        return await learning.perform(()) { [self] _ in learnNow(disk) }
    }

    private func learnNow(_ disk: DiskLevel) -> CacheMark.DiskMark? {
        let known = state.withLock { $0.known }
        let begun = latest.withLock { $0.changes }
        let replacements = disk.replacements
        let news = disk.perform { try $0.news(since: known) }
        guard let news else { return nil }
        if news.mark != known { state.withLock { $0.learn(news.changes, until: news.mark) } }
        latest.withLock { latest in
            guard latest.changes == begun else { return }
            latest.mark = (news.mark, uptime() + LatestMark.validity, replacements)
        }
        return news.mark
    }

    /// The moment that answers to what is asked now are kept with.
    ///
    /// It may be that of a moment ago, if this process has changed nothing since: what others have changed meanwhile is
    /// seen when the answer comes, and then it is not kept, although it might have been. So who lists very many folders
    /// needn't ask the disk for each.
    ///
    /// - Returns: `nil` if there is no disk.
    func latestMark() async -> CacheMark.DiskMark? {
        if let (mark, end, replacements) = latest.withLock({ $0.mark }), uptime() < end,
            replacements == disk?.replacements
        {
            return mark
        }
        return await learn()
    }

    /// Notes changes in memory, and then on the disk for all processes.
    func apply(
        _ changes: [CacheChange],
        _ body: @escaping @Sendable (DiskIndex, [CacheChange]) throws -> Void
    ) async {
        guard disk != nil else { return applyNow(changes, body) }
        // In memory at once: who asks while the disk is slow is not shown what was.
        let serials = state.withLock { $0.apply(changes) }
        await CacheThreads.run { self.applyToDisk(changes, body) }
        // Once more: somebody may have read from the disk meanwhile what was about to go, for the memory.
        state.withLock { $0.apply(changes, again: serials) }
    }

    /// The same, where one may wait for the disk.
    func applyNow(_ changes: [CacheChange], _ body: (DiskIndex, [CacheChange]) throws -> Void) {
        let serials = state.withLock { $0.apply(changes) }
        guard disk != nil else { return }
        applyToDisk(changes, body)
        state.withLock { $0.apply(changes, again: serials) }
    }

    private func applyToDisk(_ changes: [CacheChange], _ body: (DiskIndex, [CacheChange]) throws -> Void) {
        guard let disk else { return }
        latest.withLock { $0.change() }
        defer { latest.withLock { $0.change() } }
        disk.perform(isChange: true) { try body($0, changes) }
        disk.perform { try $0.removeDoomed() }
    }

    /// Keeps an answer in memory.
    ///
    /// - Parameter answer: The answer.
    /// - Returns: `true` if it may be kept: where something has changed since it was asked for, or a later answer is
    ///   kept, it may not.
    func keepInMemory<Value>(_ answer: KeptAnswer<Value>) -> Bool {
        let cost = answer.value.memoryCost
        return state.withLock { state in
            guard state.mayKeep(answer.key, asked: answer.mark.serial) else { return false }
            state.level.insert(
                .init(
                    value: answer.value.inMemory,
                    version: answer.version,
                    date: answer.date,
                    cost: cost,
                    serial: answer.mark.serial
                ),
                answer.key
            )
            return true
        }
    }

    /// Writes values to the disk, and what was used lately.
    func write(_ values: [DiskIndex.NewValue], to disk: DiskLevel) {
        guard !values.isEmpty else { return }
        let (limits, uses) = (limits, uses.withLock { $0.take() })
        disk.perform { try $0.keep(values, limits: limits, uses: uses) }
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

/// The recent uses, so that not each use is written down by itself.
struct RecentUses: Sendable {
    /// So many are written down together.
    static let batch = 256

    private var numbers: [CacheKey: (order: Int, confirmed: Date?)] = [:]
    private var next = 0

    var count: Int { numbers.count }

    /// Notes a use.
    ///
    /// - Parameters:
    ///   - key: The key of the value that was used.
    ///   - date: When the storage has said that it is still the same, if it has.
    mutating func insert(_ key: CacheKey, confirmed date: Date?) {
        numbers[key] = (next, date ?? numbers[key]?.confirmed)
        next += 1
    }

    /// Gives what was used, what was used last at the end, and begins anew.
    mutating func take() -> [(key: CacheKey, date: Date?)] {
        defer { numbers = [:] }
        return numbers.sorted { $0.value.order < $1.value.order }.map { ($0.key, $0.value.confirmed) }
    }
}
