public import Foundation

/// An answer, and where it comes from.
public struct CachedAnswer<Value: Sendable>: Sendable {
    /// The answer.
    public let value: Value

    /// Indicates whether it was kept, and the storage not asked.
    public let isCached: Bool

    /// When the storage said so; `nil` where it was given just now.
    public let date: Date?

    init(kept value: Value, date: Date) {
        self.value = value
        self.date = date
        isCached = true
    }

    init(fresh value: Value) {
        self.value = value
        date = nil
        isCached = false
    }
}

extension CachedAnswer: Equatable where Value: Equatable {}
extension CachedAnswer: Hashable where Value: Hashable {}
