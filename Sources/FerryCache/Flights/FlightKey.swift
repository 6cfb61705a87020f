import FerryCore

/// The properties that tell one question to a storage from another.
struct FlightKey: Sendable, Hashable {
    /// The scopes that are asked for.
    var kind: CacheKind

    /// Of which item.
    var path: ItemPath

    /// Which of several answers of this kind.
    var variant = ""

    /// Indicates whether the answer is kept.
    var keeps: Bool
}
