import Foundation

/// Something that is kept, and what is known about it.
struct Kept<Value: Sendable>: Sendable {
    let value: Value
    /// The version that the storage had then.
    let version: CacheVersion
    /// When the storage last said so.
    let date: Date
    /// Where it was found.
    let level: CacheLevels
}
