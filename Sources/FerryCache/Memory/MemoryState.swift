import FerryCore
import Foundation

/// The memory level, and what has changed lately: together, so that nothing is kept that a change has made wrong.
struct MemoryState: Sendable {
    var limits: CacheLimits
    var level: MemoryLevel
    /// The last change by any process that is known here.
    private(set) var known: CacheMark.DiskMark?
    private var log = ChangeLog()
    private var serial: UInt64 = 0

    init(limits: CacheLimits) {
        self.limits = limits
        level = MemoryLevel(limit: limits.memoryBytes)
    }

    /// Draws a number larger than all before.
    mutating func draw() -> UInt64 {
        serial += 1
        return serial
    }

    /// Notes a change, and forgets what it concerns.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - isForeign: `true` if another process has made it, which has brought the folder's listing up to date only on
    ///     the disk.
    mutating func apply(_ change: CacheChange, isForeign: Bool = false) {
        log.append(change, at: draw())
        level.remove(change)
        guard isForeign, change.kinds == nil, let account = change.account else { return }
        level.remove(CacheKey(account, change.path.parent, .listing))
        level.remove(CacheChange(account: account, path: .root, below: false, kinds: [.quota]))
    }

    /// Notes changes of ours, and forgets what they concern.
    ///
    /// - Returns: The serial of each.
    mutating func apply(_ changes: [CacheChange]) -> [UInt64] {
        changes.map { change in
            apply(change)
            return serial
        }
    }

    /// Notes changes once more, and forgets what has come meanwhile.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - serials: The serial numbers that ``apply(_:)`` has returned for them.
    mutating func apply(_ changes: [CacheChange], again serials: [UInt64]) {
        for (change, old) in zip(changes, serials) {
            log.append(change, insteadOf: old, at: draw())
            level.remove(change)
        }
    }

    /// Learns what other processes have changed.
    ///
    /// - Parameters:
    ///   - changes: Theirs and ours, in their order; `nil` if not all are known any more.
    ///   - mark: After the last of them.
    mutating func learn(_ changes: [(change: CacheChange, isOurs: Bool)]?, until mark: CacheMark.DiskMark) {
        if let changes {
            for (change, isOurs) in changes where !isOurs { apply(change, isForeign: true) }
        } else if known != nil {
            apply(CacheChange(account: nil, path: .root, below: true, kinds: nil))
        }
        if let known, known.index == mark.index, known.change > mark.change { return }
        known = mark
    }

    /// Returns whether an answer may be kept: nothing has changed since it was asked for, and none that was asked for
    /// later is kept.
    func mayKeep(_ key: CacheKey, asked serial: UInt64) -> Bool {
        guard log.isCurrent(key, since: serial) else { return false }
        return level.peek(key).map { $0.serial <= serial } ?? true
    }

    /// Returns whether nothing has changed of an item and of all below it.
    func isUntouched(_ path: ItemPath, of account: CacheAccount, since serial: UInt64) -> Bool {
        log.isUntouched(path, of: account, since: serial)
    }

    /// Returns whether nothing has changed for an answer since it was asked for.
    func isCurrent(_ key: CacheKey, since serial: UInt64) -> Bool { log.isCurrent(key, since: serial) }
}
