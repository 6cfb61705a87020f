import FerryCore
import FerryHTTP
import Foundation

/// A watch of an item by long polls.
struct DropboxWatch: Sendable {
    /// Failures in a row that a watch outlasts.
    private static let maximumFailures = 10

    let provider: DropboxFileProvider
    /// The item.
    let path: ItemPath
    let isFolder: Bool

    /// The folder whose changes are asked for.
    var folder: ItemPath { isFolder ? path : path.parent }

    /// Watches until nobody reads any longer, or the item is gone.
    ///
    /// - Parameters:
    ///   - start: The cursor to begin from.
    ///   - feed: The feed that gets the changes.
    func run(from start: String, _ feed: FileChangeFeed) async {
        var cursor = start
        var failures = 0
        // The item is to be looked at.
        var isInDoubt = false
        while true {
            do {
                // It can have gone before the list began anew, and no change tells so.
                if isInDoubt, try await provider.attributesIfExists(path: path) == nil {
                    feed.tell([FileChange(.removed, path: path)])
                    return feed.finish()
                }
                isInDoubt = false
                let (next, isOver) = try await ask(cursor, feed)
                if isOver { return feed.finish() }
                cursor = next
                failures = 0
            } catch is CancellationError {
                return feed.finish()
            } catch let error as DropboxError where error.reason == .reset {
                do {
                    // Nobody can tell the changes of the meantime.
                    cursor = try await provider.latestCursor(of: folder)
                    feed.tell([FileChange(.rescan, path: path)])
                    isInDoubt = !path.isRoot
                } catch let error as CocoaError where error.code == .fileNoSuchFile && !path.isRoot {
                    feed.tell([FileChange(.removed, path: path)])
                    return feed.finish()
                } catch {
                    return feed.finish(throwing: error)
                }
                failures += 1
                guard failures < Self.maximumFailures else { return feed.finish(throwing: error.mapped()) }
                if failures > 1 {
                    guard await pauses(after: error, failures) else { return feed.finish() }
                }
            } catch {
                failures += 1
                let cause = (error as? DropboxError)?.mapped() ?? error
                let policy = provider.retryPolicy
                guard failures < Self.maximumFailures, policy.isTransient(cause) || cause.isAnswerTimeOut else {
                    return feed.finish(throwing: cause)
                }
                // A silent line has no news; anything else is given time.
                if cause.isAnswerTimeOut { continue }
                guard await pauses(after: cause, failures) else { return feed.finish() }
            }
        }
    }

    /// Waits before the next try.
    ///
    /// - Returns: `false` when the watch was cancelled meanwhile.
    private func pauses(after error: any Error, _ failures: Int) async -> Bool {
        do {
            try await provider.retryPolicy.wait(after: error, attempt: failures, clock: provider.connection.clock)
            return true
        } catch {
            return false
        }
    }

    /// Waits for changes, and tells them.
    private func ask(_ cursor: String, _ feed: FileChangeFeed) async throws -> (cursor: String, isOver: Bool) {
        let (hasChanges, backoff) = try await provider.longPoll(cursor, about: path)
        var cursor = cursor
        var hasMore = hasChanges
        while hasMore {
            let portion: (entries: [DropboxMetadata], cursor: String, hasMore: Bool)
            do {
                portion = try await provider.entries(since: cursor, about: folder)
                let arrived = Set(portion.entries.lazy.filter(\.isFolder).compactMap(\.key))
                let texts = portion.entries.lazy.compactMap(\.pathDisplay)
                try await provider.learnSpelling(of: texts, besides: arrived)
            } catch let error as DropboxError where error.reason == .noSuchItem {
                feed.tell([FileChange(.removed, path: path)])
                return (cursor, true)
            }
            (cursor, hasMore) = (portion.cursor, portion.hasMore)
            if tell(DropboxChanges(portion.entries, seen: provider.seen), feed) { return (cursor, true) }
        }
        if backoff > .zero { try await provider.connection.clock.sleep(for: backoff) }
        return (cursor, false)
    }

    /// Tells changes; returns `true` if what is watched is gone.
    private func tell(_ changes: DropboxChanges, _ feed: FileChangeFeed) -> Bool {
        let key = DropboxPath.key(path)
        func isWatched(_ other: ItemPath) -> Bool {
            let otherKey = DropboxPath.key(other)
            return otherKey == key || (isFolder && (path.isRoot || otherKey.hasPrefix(key + "/")))
        }
        var isGone = false
        for change in changes.changes {
            switch change.tracked {
            // Dropbox reports removals by their paths.
            case .removedItem: continue
            case .removed(let removed, _):
                guard isWatched(removed) else { continue }
                if DropboxPath.key(removed) == key { isGone = true }
                feed.tell([FileChange(.removed, path: removed)])
            case .updated(let item, let previous?):
                if DropboxPath.key(item.path) == key { isGone = false }
                switch (isWatched(previous), isWatched(item.path)) {
                case (true, true): feed.tell([FileChange(.moved(from: previous), path: item.path)])
                case (true, false):
                    if DropboxPath.key(previous) == key { isGone = true }
                    feed.tell([FileChange(.removed, path: previous)])
                case (false, true): feed.tell([FileChange(.created, path: item.path)])
                case (false, false): continue
                }
            case .updated(let item, nil):
                guard isWatched(item.path) else { continue }
                if DropboxPath.key(item.path) == key { isGone = false }
                feed.tell([FileChange(change.wasKnown ? .modified : .created, path: item.path)])
            }
        }
        return isGone && !path.isRoot
    }
}
