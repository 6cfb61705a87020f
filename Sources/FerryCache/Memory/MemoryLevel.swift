import FerryCore
import Foundation

/// The values that are kept in memory: so many bytes, the least recently used goes first.
struct MemoryLevel: Sendable {
    /// One value.
    struct Entry: Sendable {
        let value: any Sendable
        let version: CacheVersion
        var date: Date
        /// Bytes, about.
        let cost: Int
        /// When it was asked for; what was asked for before does not replace it.
        let serial: UInt64
    }

    private struct Slot {
        let key: CacheKey
        var entry: Entry
        /// The one that was used right before it.
        var older: Int?
        /// The one that was used right after it.
        var newer: Int?
    }

    private struct Place: Hashable {
        let account: CacheAccount
        let path: ItemPath
    }

    /// An item of which something is kept, or a folder above one.
    private struct Node {
        var slots: [Int] = []
        var children: Set<ItemPath> = []
    }

    private(set) var bytes = 0
    private(set) var limit: Int
    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var index: [CacheKey: Int] = [:]
    private var nodes: [Place: Node] = [:]
    private var newest: Int?
    private var oldest: Int?

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { index.count }

    /// All keys, in no order.
    var keys: some Sequence<CacheKey> { index.keys }

    // MARK: Reading

    /// Returns what is kept of something, which counts as a use.
    mutating func entry(_ key: CacheKey) -> Entry? {
        guard let number = index[key], let slot = slots[number] else { return nil }
        unlink(number)
        link(number)
        return slot.entry
    }

    /// Returns what is kept of something, which is no use.
    func peek(_ key: CacheKey) -> Entry? {
        index[key].flatMap { slots[$0]?.entry }
    }

    /// The keys of what is kept of one item.
    func keys(at path: ItemPath, of account: CacheAccount) -> [CacheKey] {
        nodes[Place(account: account, path: path)]?.slots.compactMap { slots[$0]?.key } ?? []
    }

    /// Returns what is kept of a folder's items.
    func children(of folder: ItemPath, of account: CacheAccount) -> [ItemPath: KeptChild] {
        var children: [ItemPath: KeptChild] = [:]
        for path in nodes[Place(account: account, path: folder)]?.children ?? [] {
            guard let node = nodes[Place(account: account, path: path)] else { continue }
            for slot in node.slots.lazy.compactMap({ slots[$0] }) {
                children.note(path, KeptChild.Part(kind: slot.key.kind, version: slot.entry.version))
            }
            if !node.children.isEmpty { children.note(path, nil) }
        }
        return children
    }

    // MARK: Changing

    /// Keeps something, in place of what was kept of the same; what is too large is not kept.
    mutating func insert(_ entry: Entry, _ key: CacheKey) {
        remove(key)
        guard entry.cost <= limit / 2 else { return }
        shrink(to: limit - entry.cost)
        let number = free.popLast() ?? slots.count
        if number == slots.count { slots.append(nil) }
        slots[number] = Slot(key: key, entry: entry)
        index[key] = number
        bytes += entry.cost
        link(number)
        adopt(number, key)
    }

    /// The storage has said that it still has the same.
    mutating func renew(_ key: CacheKey, _ date: Date) {
        guard let number = index[key] else { return }
        slots[number]?.entry.date = date
    }

    /// Forgets something.
    mutating func remove(_ key: CacheKey) {
        if let number = index[key] { drop(number) }
    }

    /// Forgets what a change concerns.
    mutating func remove(_ change: CacheChange) {
        guard let account = change.account else {
            self = MemoryLevel(limit: limit)
            return
        }
        var open = [change.path]
        var found: [Int] = []
        while let path = open.popLast() {
            guard let node = nodes[Place(account: account, path: path)] else { continue }
            for number in node.slots {
                guard let kind = slots[number]?.key.kind, change.kinds?.contains(kind) ?? true else { continue }
                found.append(number)
            }
            if change.below { open.append(contentsOf: node.children) }
        }
        for number in found { drop(number) }
    }

    /// Sets how many bytes may be kept.
    mutating func setLimit(_ limit: Int) {
        self.limit = limit
        shrink(to: limit)
    }

    /// Forgets the least recently used, until only so many bytes are left.
    mutating func shrink(to bytes: Int) {
        while self.bytes > max(0, bytes), let oldest { drop(oldest) }
    }

    // MARK: The order of use

    private mutating func link(_ number: Int) {
        slots[number]?.older = newest
        slots[number]?.newer = nil
        if let newest { slots[newest]?.newer = number }
        newest = number
        if oldest == nil { oldest = number }
    }

    private mutating func unlink(_ number: Int) {
        let (older, newer) = (slots[number]?.older, slots[number]?.newer)
        if let older { slots[older]?.newer = newer } else { oldest = newer }
        if let newer { slots[newer]?.older = older } else { newest = older }
    }

    private mutating func drop(_ number: Int) {
        guard let slot = slots[number] else { return }
        unlink(number)
        bytes -= slot.entry.cost
        index[slot.key] = nil
        slots[number] = nil
        free.append(number)
        disown(number, slot.key)
    }

    // MARK: The tree

    private mutating func adopt(_ number: Int, _ key: CacheKey) {
        var place = Place(account: key.account, path: key.path)
        let isNew = nodes[place] == nil
        nodes[place, default: Node()].slots.append(number)
        guard isNew else { return }
        // Folders above are noted up to the first that is known.
        while !place.path.isRoot, !place.path.beginsWithIdentifier {
            let parent = Place(account: key.account, path: place.path.parent)
            let isKnown = nodes[parent] != nil
            nodes[parent, default: Node()].children.insert(place.path)
            if isKnown { return }
            place = parent
        }
    }

    private mutating func disown(_ number: Int, _ key: CacheKey) {
        var place = Place(account: key.account, path: key.path)
        nodes[place]?.slots.removeAll { $0 == number }
        while let node = nodes[place], node.slots.isEmpty, node.children.isEmpty {
            nodes[place] = nil
            guard !place.path.isRoot, !place.path.beginsWithIdentifier else { return }
            let parent = Place(account: key.account, path: place.path.parent)
            nodes[parent]?.children.remove(place.path)
            place = parent
        }
    }
}
