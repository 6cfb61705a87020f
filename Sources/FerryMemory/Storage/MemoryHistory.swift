import FerryCore
import Foundation

/// The events of the items, in order.
struct MemoryHistory {
    /// One thing that happened; `file` is the item afterwards, or as it was if it is gone.
    struct Event {
        let change: FileChange
        let file: FileObject
        /// Follows from what happened to a folder above, so that watchers need not be told.
        var isImplied = false
    }

    /// Events that are kept; whoever asks for older ones must list anew.
    static let limit = 100_000

    /// Tells this storage's anchors from another's.
    let name = UUID()
    private(set) var first = 0
    private(set) var events: [Event] = []
    /// Events that watchers have not been told yet.
    private(set) var untold: [Event] = []

    var end: Int { first + events.count }

    mutating func append(_ event: Event) {
        events.append(event)
        if !event.isImplied { untold.append(event) }
        // Dropping half at a time keeps the cost of an event constant.
        if events.count > Self.limit * 2 {
            events.removeFirst(Self.limit)
            first += Self.limit
        }
    }

    mutating func takeUntold() -> [Event] {
        defer { untold = [] }
        return untold
    }

    func anchor(_ index: Int) -> ChangeAnchor { ChangeAnchor(token: "\(name)/\(index)") }

    func index(of anchor: ChangeAnchor) throws -> Int {
        let parts = anchor.token.split(separator: "/")
        guard parts.count == 2, parts[0] == name.uuidString, let index = Int(parts[1]), (first...end).contains(index)
        else { throw AnchorExpiredError() }
        return index
    }
}

extension MemoryTree {
    /// Writes down what happened to an item that exists.
    mutating func note(_ kind: FileChange.Kind, _ id: MemoryNode.ID) {
        nodes[id]?.changes += 1
        guard let path = path(of: id), let file = try? fileObject(id) else { return }
        history.append(MemoryHistory.Event(change: FileChange(kind, path: path), file: file))
        if kind != .removed { noteAllBelow(id, at: path, after: kind) }
    }

    /// Writes down that items came with their folder.
    private mutating func noteAllBelow(_ id: MemoryNode.ID, at path: ItemPath, after kind: FileChange.Kind) {
        for child in nodes[id]?.children.values.compactMap({ nodes[$0] }) ?? [] {
            let file = fileObject(child, in: path)
            var kindBelow = kind
            if case .moved(let previous) = kind {
                kindBelow = .moved(from: previous.appending(component: child.name.text))
            }
            let change = FileChange(kindBelow, path: file.path)
            history.append(MemoryHistory.Event(change: change, file: file, isImplied: true))
            noteAllBelow(child.id, at: file.path, after: kindBelow)
        }
    }

    /// Writes down that an item is about to vanish, with all below it.
    mutating func noteRemoval(of id: MemoryNode.ID) {
        note(.removed, id)
    }

    /// Everything since an anchor, a portion at a time.
    func changes(since anchor: ChangeAnchor, limit: Int) throws -> ChangeSet {
        let start = try history.index(of: anchor)
        let end = min(start + limit, history.end)
        let changes = history.events[start - history.first..<end - history.first].map(\.tracked)
        return ChangeSet(changes: changes, anchor: history.anchor(end), hasMore: end < history.end)
    }
}

extension MemoryHistory.Event {
    var tracked: TrackedChange {
        switch change.kind {
        case .removed: .removed(change.path, id: file.id)
        case .moved(let previous): .updated(file, previousPath: previous)
        case .created, .modified, .attributes, .rescan: .updated(file, previousPath: nil)
        }
    }
}
