import FerryCore

/// Something that is to be forgotten.
struct CacheRemoval: Sendable, Hashable {
    let path: ItemPath
    var below = false
    /// `nil` for all kinds.
    var kinds: Set<CacheKind>?

    /// Returns the change that is reported to all processes.
    ///
    /// - Parameter account: The account that the item belongs to.
    /// - Returns: The change; of an item that is addressed by identifier, nobody knows what it is called, so all has changed.
    func change(of account: CacheAccount) -> CacheChange {
        CacheChange(
            account: account,
            path: path.beginsWithIdentifier ? .root : path,
            below: below || path.beginsWithIdentifier,
            kinds: kinds
        )
    }

    /// Returns what has to be forgotten after a change.
    ///
    /// - Parameters:
    ///   - effects: The changes of the storage.
    ///   - showsBelow: `true` if a folder's eTag changes with everything below it.
    /// - Returns: Each thing once.
    static func removals(for effects: [CacheEffect], showsBelow: Bool) -> Set<CacheRemoval> {
        guard !effects.contains(.everything) else { return [CacheRemoval(path: .root, below: true)] }
        var removals: Set<CacheRemoval> = []
        for effect in effects {
            switch effect {
            case .item(let path):
                removals.insert(CacheRemoval(path: path, below: true))
                removals.insert(CacheRemoval(path: .root, kinds: [.quota]))
                removals.formUnion(folders(above: path, showsBelow: showsBelow))
            case .appearance(let path):
                removals.insert(CacheRemoval(path: path, kinds: [.listing, .attributes]))
                removals.formUnion(folders(above: path, showsBelow: showsBelow))
            case .room: removals.insert(CacheRemoval(path: .root, kinds: [.quota]))
            case .everything: break
            }
        }
        return removals
    }

    /// The folder lists the item, and has another date, which the folder above it lists.
    private static func folders(above path: ItemPath, showsBelow: Bool) -> Set<CacheRemoval> {
        guard !path.beginsWithIdentifier, !path.isRoot else { return [] }
        var removals: Set<CacheRemoval> = []
        var folder = path
        repeat {
            folder = folder.parent
            removals.insert(CacheRemoval(path: folder, kinds: [.listing, .attributes]))
        } while !folder.isRoot && (showsBelow || removals.count < 2)
        return removals
    }
}
