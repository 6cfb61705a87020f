import NIOCore
import Synchronization

/// Keeps contents in memory, where there is no disk.
struct MemoryContentsWriter: ContentsTarget {
    let key: CacheKey
    let version: CacheVersion
    let length: Int64?
    let mark: CacheMark
    let store: CacheStore

    /// Makes room; `false` if nothing may be kept.
    func begin() -> Bool { update { _ in } }

    func write(_ bytes: ByteBuffer, at offset: Int64) async {
        update { $0.add(bytes, at: offset) }
    }

    func finish(length: Int64?) async {
        if let length { update { $0 = $0.with(length: length) } }
    }

    @discardableResult
    private func update(_ change: (inout MemoryContents) -> Void) -> Bool {
        let date = store.now()
        return store.state.withLock { state in
            guard state.isCurrent(key, since: mark.serial) else { return false }
            let old = state.level.peek(key)
            let isSame = old.map { version.isSame(as: $0.version) } ?? false
            // A content that was asked for later stays.
            if let old, !isSame || length != nil && (old.value as? MemoryContents)?.length != length,
                old.serial > mark.serial
            {
                return false
            }
            // Bytes without a version are the content of this writer alone.
            let isOurs = isSame || old?.serial == mark.serial
            var contents = (isOurs ? old?.value as? MemoryContents : nil) ?? MemoryContents(length: length)
            change(&contents)
            guard contents.cost <= Int(clamping: state.limits.largestContentBytes) else {
                state.level.remove(key)
                return false
            }
            let serial = max(mark.serial, isOurs ? old?.serial ?? 0 : 0)
            state.level.insert(
                .init(value: contents, version: version, date: date, cost: contents.cost, serial: serial),
                key
            )
            return true
        }
    }
}
