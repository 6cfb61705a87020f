import FerryCore
import Foundation

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
