import FerryCore
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

/// An answer that is to be kept.
struct KeptAnswer<Value: CacheValue>: Sendable {
    let value: Value
    let key: CacheKey
    let version: CacheVersion
    /// When the storage said so.
    let date: Date
    /// When the storage was asked.
    let mark: CacheMark

    /// As it goes to the disk; `nil` if it can't be written as bytes: then it is kept in memory only.
    var onDisk: DiskIndex.NewValue? {
        // A failure here is one of encoding this value: nothing is wrong with the disk, and nobody can do anything
        // about it.
        guard let data = try? value.cacheBytes() else { return nil }
        return DiskIndex.NewValue(
            data: data,
            key: key,
            version: version,
            date: date,
            isMovable: value.staysWhenFolderMoves,
            mark: mark
        )
    }
}
