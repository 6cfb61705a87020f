import Foundation

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
