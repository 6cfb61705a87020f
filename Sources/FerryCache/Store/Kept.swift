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

/// The kept answers about one item of a folder.
struct KeptChild: Sendable, Hashable {
    /// A kept answer about the item itself.
    struct Part: Sendable, Hashable {
        let kind: CacheKind
        let version: CacheVersion
    }

    let path: ItemPath
    var parts: Set<Part> = []
    /// Indicates whether anything is kept of what is below it.
    var hasBelow = false
}

extension [ItemPath: KeptChild] {
    /// Adds what is kept of an item, or of something below it.
    mutating func note(_ path: ItemPath, _ part: KeptChild.Part?) {
        if let part {
            self[path, default: KeptChild(path: path)].parts.insert(part)
        } else {
            self[path, default: KeptChild(path: path)].hasBelow = true
        }
    }
}
