import FerryCore
import Foundation

/// The order in which files are transferred.
public struct TransferOrder: Sendable, Hashable, Codable {
    /// The property that is looked at.
    public enum Key: String, Sendable, Hashable, Codable, CaseIterable {
        /// The path, byte by byte.
        case name
        /// Bytes; what has no known size counts as 0.
        case size
        /// The date at which the file last changed; what has no known date is oldest.
        case date
    }

    /// The property that is looked at.
    public var key: Key

    /// Indicates whether the least comes first: the smallest, the oldest.
    public var isAscending: Bool

    /// Files among which the next is chosen.
    public static let lookAhead = 20_000

    /// Makes an order.
    ///
    /// - Parameters:
    ///   - key: The property to compare.
    ///   - ascending: `true` if the least comes first.
    public init(_ key: Key, ascending: Bool = true) {
        self.key = key
        isAscending = ascending
    }

    /// Returns whether one action comes before another.
    func precedes(_ first: TransferAction, _ second: TransferAction) -> Bool {
        let (low, high) = isAscending ? (first, second) : (second, first)
        switch key {
        case .name: return low.path < high.path
        case .size: return (low.source?.size ?? 0) < (high.source?.size ?? 0)
        case .date:
            return (low.source?.modifiedDate ?? .distantPast) < (high.source?.modifiedDate ?? .distantPast)
        }
    }
}
