import FerryCore
import Foundation

/// A portion of the feed of changes, in which a move is a deletion and a new entry with the same identifier.
///
/// A deletion tells a path alone: which item it was is known where it was seen before.
struct DropboxChanges {
    /// A change, with what was known of the item before.
    struct Change {
        let tracked: TrackedChange
        let wasKnown: Bool
    }

    /// The changes in order.
    let changes: [Change]

    /// The changes in order, without what was known before.
    var tracked: [TrackedChange] { changes.map(\.tracked) }

    /// Reads entries.
    ///
    /// - Parameters:
    ///   - entries: Entries in the order of the feed.
    ///   - seen: The items that were seen before; what the entries say is noted there.
    init(_ entries: [DropboxMetadata], seen: DropboxSeenItems) {
        var departures = Self.departures(entries, seen: seen)
        var moved: Set<String> = []
        var changes: [Change] = []
        for entry in entries {
            guard let key = entry.key else { continue }
            let known = seen.item(at: key)
            if entry.isDeleted {
                let isMove = known.map { departures[$0.id] == $0.path } ?? false
                seen.forget(key)
                guard !isMove, let path = known?.path ?? entry.pathDisplay.flatMap({ seen.path($0) }) else { continue }
                changes.append(Change(tracked: .removed(path, id: known?.id), wasKnown: known != nil))
                continue
            }
            guard let place = entry.pathDisplay.flatMap({ seen.path($0) }), let item = entry.item(in: place.parent)
            else {
                continue
            }
            if let known, known.id != item.id, !moved.contains(known.id) {
                // Another item is here now: the one before is gone, a folder with all below it, or moves later.
                seen.forget(key)
                let isLeaving = departures.removeValue(forKey: known.id) != nil
                if isLeaving || known.isFolder {
                    changes.append(Change(tracked: .removed(known.path, id: known.id), wasKnown: true))
                }
            }
            let previous = item.id.flatMap { departures.removeValue(forKey: $0) }
            if previous != nil, let id = item.id { moved.insert(id) }
            changes.append(
                Change(
                    tracked: .updated(item, previousPath: previous),
                    wasKnown: known != nil && known?.id == item.id
                )
            )
            seen.note(item)
        }
        self.changes = changes
    }

    /// Returns where items were that have arrived elsewhere, by their identifiers.
    private static func departures(_ entries: [DropboxMetadata], seen: DropboxSeenItems) -> [String: ItemPath] {
        let arrivals = Dictionary(
            entries.compactMap { entry in entry.isDeleted ? nil : entry.id.map { (id($0), entry.key ?? "") } }
        ) { $1 }
        var departures: [String: ItemPath] = [:]
        for entry in entries {
            guard let key = entry.key, let item = seen.item(at: key), let arrival = arrivals[item.id], arrival != key
            else { continue }
            departures[item.id] = item.path
        }
        return departures
    }

    private static func id(_ text: String) -> String { text.hasPrefix("id:") ? String(text.dropFirst(3)) : text }
}
