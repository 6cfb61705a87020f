public import FerryCore
import Foundation
import Synchronization

extension MemoryFileProvider: FileProviderMonitor {
    /// Watches an item and all below it.
    public func changes(under path: ItemPath) async throws -> FileChanges {
        let watched = try read { tree in
            let node = try tree.find(path)
            return tree.path(of: node.id) ?? path
        }
        return watchers.watch(watched)
    }
}

/// The watchers of each path.
final class MemoryWatchers: Sendable {
    private struct Watcher {
        let path: ItemPath
        let feed: FileChangeFeed
    }

    private let watchers = Mutex<[UUID: Watcher]>([:])

    func watch(_ path: ItemPath) -> FileChanges {
        let feed = FileChangeFeed(under: path)
        let id = UUID()
        watchers.withLock { $0[id] = Watcher(path: path, feed: feed) }
        return feed.changes { [weak self] in
            _ = self?.watchers.withLock { $0.removeValue(forKey: id) }
        }
    }

    func tell(_ events: [MemoryHistory.Event]) {
        if events.isEmpty { return }
        for watcher in watchers.withLock({ Array($0.values) }) {
            for event in events {
                if let seen = event.change.seen(from: watcher.path) { watcher.feed.tell([seen]) }
                if event.change.ends(watchOf: watcher.path) { watcher.feed.finish() }
            }
        }
    }
}

extension FileChange {
    /// The change as it looks to somebody who watches a folder: what moves in is new, what moves out is gone.
    func seen(from folder: ItemPath) -> FileChange? {
        let isInside = path == folder || path.isBelow(folder)
        guard case .moved(let previous) = kind else { return isInside ? self : nil }
        let wasInside = previous == folder || previous.isBelow(folder)
        if isInside { return wasInside ? self : FileChange(.created, path: path) }
        return wasInside ? FileChange(.removed, path: previous) : nil
    }

    /// Returns whether the watched item itself is gone, or a folder above it.
    func ends(watchOf folder: ItemPath) -> Bool {
        switch kind {
        case .removed: path == folder || folder.isBelow(path)
        case .moved(let previous): previous == folder || folder.isBelow(previous)
        case .created, .modified, .attributes, .rescan: false
        }
    }
}
