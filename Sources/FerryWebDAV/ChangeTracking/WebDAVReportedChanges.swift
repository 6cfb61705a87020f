import FerryCore
import Foundation

/// The changes of a `sync-collection` report (RFC 6578 §3.5) as they come, in any order.
struct WebDAVReportedChanges {
    private var items: WebDAVItems
    private var updated: [FileObject] = []
    private var removed: [ItemPath] = []

    /// Indicates whether the server has cut its report short (RFC 6578 §3.6).
    private(set) var hasMore = false

    init(_ items: WebDAVItems) {
        self.items = items
    }

    mutating func add(_ entries: [MultistatusEntry]) throws {
        for entry in entries {
            if entry.status == 404 || entry.status == 410 {
                guard let path = try items.path(of: entry) else { continue }
                removed.append(path)
                continue
            }
            switch try items.meaning(of: entry) {
            case .item(let item): updated.append(item)
            case .itself(let entry): if entry.status == 507 { hasMore = true }
            case .nothing: break
            }
        }
    }

    /// Removals first, then what is new or other, folders before what is in them.
    var inOrder: [TrackedChange] {
        var changes: [TrackedChange] = []
        var above: ItemPath?
        for path in removed.sorted() {
            if let above, path.isBelow(above) { continue }
            above = path
            changes.append(.removed(path, id: nil))
        }
        return changes + updated.sorted { $0.path < $1.path }.map { .updated($0, previousPath: nil) }
    }
}
