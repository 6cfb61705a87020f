import FerryCore

/// The latest changes, so that an answer is not kept which was asked for before one.
struct ChangeLog: Sendable {
    private static let capacity = 1024

    private var changes: [(serial: UInt64, change: CacheChange)] = []
    /// Changes up to this one may have been forgotten.
    private var floor: UInt64 = 0

    /// Notes a change.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - serial: Larger than all before.
    mutating func append(_ change: CacheChange, at serial: UInt64) {
        changes.append((serial, change))
        guard changes.count >= 2 * Self.capacity else { return }
        floor = changes[Self.capacity - 1].serial
        changes.removeFirst(Self.capacity)
    }

    /// Notes a change of a moment ago anew: what was asked for between the two is not kept either.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - old: The serial that it was noted with.
    ///   - serial: Larger than all before.
    mutating func append(_ change: CacheChange, insteadOf old: UInt64, at serial: UInt64) {
        if let index = changes.lastIndex(where: { $0.serial <= old }), changes[index].serial == old {
            changes.remove(at: index)
        }
        append(change, at: serial)
    }

    /// Returns whether nothing has changed of an item and of all below it, as far as that is known.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - account: The account that it belongs to.
    ///   - serial: Since when.
    /// - Returns: `false` also when that is so long ago that nobody knows.
    func isUntouched(_ path: ItemPath, of account: CacheAccount, since serial: UInt64) -> Bool {
        guard serial >= floor else { return false }
        return !changes.contains { $0.serial > serial && $0.change.touches(path, of: account) }
    }

    /// Returns whether nothing has changed for an answer since it was asked for, as far as that is known.
    ///
    /// - Parameters:
    ///   - key: The answer's key.
    ///   - serial: When it was asked for.
    /// - Returns: `false` also when it was asked for so long ago that nobody knows.
    func isCurrent(_ key: CacheKey, since serial: UInt64) -> Bool {
        guard serial >= floor else { return false }
        for entry in changes.reversed() {
            if entry.serial <= serial { return true }
            if entry.change.concerns(key) { return false }
        }
        return true
    }
}
