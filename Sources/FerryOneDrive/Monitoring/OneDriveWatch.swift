import FerryCore
import FerryHTTP
import Foundation

/// A watch of an item by the list of changes of its drive.
struct OneDriveWatch: Sendable {
    /// Failures in a row that a watch outlasts.
    private static let maximumFailures = 10

    private let provider: OneDriveFileProvider
    private let path: ItemPath
    private let isFolder: Bool

    /// Prepares a watch; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - item: The item to watch.
    init(_ provider: OneDriveFileProvider, _ item: FileObject) {
        self.provider = provider
        path = item.path
        isFolder = item.isDirectory
        provider.known.note(item)
    }

    /// Watches until nobody reads any longer, or the item is gone.
    ///
    /// - Parameters:
    ///   - start: The anchor to begin from.
    ///   - feed: The feed that gets the changes.
    func run(from start: OneDriveAnchor, _ feed: FileChangeFeed) async {
        var anchor = start
        var interval = PollingInterval()
        var failures = 0
        // The item is to be looked at.
        var isInDoubt = false
        while true {
            do {
                try await provider.connection.clock.sleep(for: interval.current)
                let (steps, next) = try await provider.steps(since: anchor)
                // Too much was seen meanwhile to remember where an item was that is gone.
                if steps.contains(where: \.hasNoPath) { throw AnchorExpiredError() }
                anchor = next
                interval.note(hasChanges: !steps.isEmpty)
                if tell(steps, feed) { return feed.finish() }
                // It can have gone before the list began anew, and no change tells so.
                if isInDoubt, try await provider.attributesIfExists(path: path) == nil {
                    feed.tell([FileChange(.removed, path: path)])
                    return feed.finish()
                }
                isInDoubt = false
                failures = 0
            } catch is CancellationError {
                return feed.finish()
            } catch let error where Self.isReset(error) {
                do {
                    // Nobody can tell the changes of the meantime.
                    anchor = try await mappingRefusals { try await provider.latestAnchor() }
                    feed.tell([FileChange(.rescan, path: path)])
                    isInDoubt = !path.isRoot
                } catch {
                    return feed.finish(throwing: error)
                }
                // An anchor that is too old for us is not the service's failure.
                guard let refusal = error as? OneDriveError else { continue }
                failures += 1
                guard failures < Self.maximumFailures else { return feed.finish(throwing: refusal.mapped()) }
            } catch {
                failures += 1
                let cause = (error as? OneDriveError)?.mapped() ?? error
                guard failures < Self.maximumFailures, provider.retryPolicy.isTransient(cause) || cause.isAnswerTimeOut
                else {
                    return feed.finish(throwing: cause)
                }
                interval.noteFailure(delay: RetryPolicy.hint(of: cause))
            }
        }
    }

    private static func isReset(_ error: any Error) -> Bool {
        error is AnchorExpiredError || (error as? OneDriveError)?.reason == .reset
            || (error as? OneDriveError)?.answeredStatusCode == 410
    }

    /// Tells changes; returns `true` if what is watched is gone.
    private func tell(_ steps: [DeltaPlan.Step], _ feed: FileChangeFeed) -> Bool {
        var isGone = false
        var changes: [FileChange] = []
        for step in steps {
            switch step {
            case .removed(let removed, _):
                if isWatched(removed) { changes.append(FileChange(.removed, path: removed)) }
                if OneDriveName.key(removed) == key || path.isBelow(removed) { isGone = true }
            case .removedItem: continue
            case .updated(let update):
                changes += change(update).map { [$0] } ?? []
                if let previous = update.previous, OneDriveName.key(previous) == key, !isWatched(update.item.path) {
                    isGone = true
                }
                if OneDriveName.key(update.item.path) == key { isGone = false }
            }
        }
        feed.tell(changes)
        return isGone && !path.isRoot
    }

    /// Returns what a watcher hears of a change; `nil` for what happens elsewhere.
    private func change(_ update: DeltaPlan.Update) -> FileChange? {
        let place = update.item.path
        guard let previous = update.previous else {
            return isWatched(place) ? FileChange(update.wasKnown ? .modified : .created, path: place) : nil
        }
        return switch (isWatched(previous), isWatched(place)) {
        case (true, true): FileChange(.moved(from: previous), path: place)
        case (true, false): FileChange(.removed, path: previous)
        case (false, true): FileChange(.created, path: place)
        case (false, false): nil
        }
    }

    private var key: ItemPath { OneDriveName.key(path) }

    private func isWatched(_ other: ItemPath) -> Bool {
        let other = OneDriveName.key(other)
        return other == key || (isFolder && other.isBelow(key))
    }
}
