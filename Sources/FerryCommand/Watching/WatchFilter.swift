import FerryCore
import FerryTransfer

/// Which changes a person wants to know.
struct WatchFilter {
    /// The events; all if there are none.
    let events: Set<FileChange.Name>

    /// The patterns of items that are left out, with all below them.
    let patterns: [GlobPattern]

    /// Returns whether a change is reported.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - top: The watched item, to which the patterns are relative.
    /// - Returns: `true` always for a rescan: nobody knows what has happened.
    func takes(_ change: FileChange, under top: ItemPath) -> Bool {
        if case .rescan = change.kind { return true }
        guard events.isEmpty || events.contains(change.name) else { return false }
        if case .moved(let previous) = change.kind, !isLeftOut(previous, top) { return true }
        return !isLeftOut(change.path, top)
    }

    private func isLeftOut(_ path: ItemPath, _ top: ItemPath) -> Bool {
        guard !patterns.isEmpty, var item = path.relative(to: top) else { return false }
        while !item.isRoot {
            // A removed item may have been a folder: nobody knows.
            if patterns.last(where: { $0.matches(item, isFolder: true) }).map({ !$0.isNegated }) ?? false {
                return true
            }
            item = item.parent
        }
        return false
    }
}

extension FileChange {
    /// The name of an event.
    enum Name: String, CaseIterable {
        case created, modified, moved, removed, attributes, rescan
    }

    /// The name of the event.
    var name: Name {
        switch kind {
        case .created: .created
        case .modified: .modified
        case .moved: .moved
        case .removed: .removed
        case .attributes: .attributes
        case .rescan: .rescan
        }
    }
}
