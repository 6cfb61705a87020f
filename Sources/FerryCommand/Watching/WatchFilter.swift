import FerryCore
import FerryTransfer

/// Which changes a person wants to know.
struct WatchFilter {
    /// The events; all if there are none.
    let events: Set<FileChange.Name>

    /// What is left out, with all below it.
    let patterns: [GlobPattern]

    /// Returns whether a change is told.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - top: What is watched, to which the patterns are relative.
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
            // Whether it is a folder nobody knows, if it is gone.
            if patterns.last(where: { $0.matches(item, isFolder: true) }).map({ !$0.isNegated }) ?? false {
                return true
            }
            item = item.parent
        }
        return false
    }
}

extension FileChange {
    /// What an event is called.
    enum Name: String, CaseIterable {
        case created, modified, moved, removed, attributes, rescan
    }

    /// What the event is called.
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
