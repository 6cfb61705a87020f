import FerryCore

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
