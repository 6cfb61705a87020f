import Foundation

/// Watches an item on a storage that does not tell of changes by itself: looks again and again, more often while things
/// happen.
///
/// An item that comes and goes between two looks is never seen.
package struct PollingWatch: Sendable {
    private let provider: any FileProviderBasic
    private let path: ItemPath

    /// Indicates whether a folder's eTag changes with everything below it, so that only what has changed is listed
    /// again.
    package var trustsFolderTags = false

    /// The wait between two looks while things happen.
    package var shortest = Duration.seconds(1)

    /// The wait between two looks when nothing has happened for a while.
    package var longest = Duration.seconds(30)

    /// The number of looks in a row that may fail for a bad line, or because something changed meanwhile.
    package var patience = 10

    /// The clock to wait on.
    package var clock: any Clock<Duration> = ContinuousClock()

    /// Prepares a watch; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - provider: The storage.
    ///   - path: The item to watch: a folder with all below it, or a file.
    package init(_ provider: any FileProviderBasic, path: ItemPath) {
        self.provider = provider
        self.path = path
    }

    /// Begins to watch.
    ///
    /// - Returns: The changes since now.
    /// - Throws: `CocoaError.fileNoSuchFile`; what keeps the item from being looked at.
    package func begin() async throws -> FileChanges {
        let start = try await look()
        let feed = FileChangeFeed(under: path)
        // It ends with the reader, whoever lets go of that.
        let watching = Task { await watch(from: start, feed) }
        return feed.changes { watching.cancel() }
    }

    private enum Sight {
        case folder(TreeSnapshot)
        case item(FileObject)
    }

    private func look() async throws -> Sight {
        let item = try await provider.attributesOfItem(path: path)
        guard item.isDirectory else { return .item(try await settled(item)) }
        let tree = try await TreeSnapshot(
            of: provider,
            below: path,
            trustsFolderTags: trustsFolderTags,
            clock: clock
        )
        return .folder(tree)
    }

    /// The item when it can no longer change without becoming another, unless it changes all the time.
    private func settled(_ item: FileObject) async throws -> FileObject {
        guard item.isFresh else { return item }
        try await clock.sleep(for: TreeSnapshot.freshTime)
        return try await provider.attributesOfItem(path: path)
    }

    private func watch(from start: Sight, _ feed: FileChangeFeed) async {
        var sight = start
        var interval = PollingInterval(from: shortest, to: longest)
        var failures = 0
        while true {
            do {
                try await clock.sleep(for: interval.current)
                let (changes, now) = try await compare(sight)
                sight = now
                failures = 0
                feed.tell(changes)
                interval.note(hasChanges: !changes.isEmpty)
            } catch is CancellationError {
                return feed.finish()
            } catch {
                do {
                    if try await isGone(after: error) {
                        feed.tell([FileChange(.removed, path: path)])
                        return feed.finish()
                    }
                    failures += 1
                    guard failures < patience else { throw error }
                    interval.noteFailure()
                } catch {
                    return feed.finish(throwing: error)
                }
            }
        }
    }

    /// Returns whether an error means that the watched item is gone; throws what no patience can help.
    private func isGone(after error: any Error) async throws -> Bool {
        if let error = error as? URLError, error.code.meansUnreachable { return false }
        guard let code = (error as? CocoaError)?.code, code == .fileNoSuchFile || code == .fileReadNoSuchFile else {
            throw error
        }
        do {
            _ = try await provider.attributesOfItem(path: path)
            // A folder below went while it was to be listed.
            return false
        } catch let error as CocoaError where error.code == .fileNoSuchFile || error.code == .fileReadNoSuchFile {
            return true
        } catch let error as URLError where error.code.meansUnreachable {
            return false
        }
    }

    private func compare(_ before: Sight) async throws -> (changes: [FileChange], now: Sight) {
        switch before {
        case .item(let item):
            let now = try await settled(try await provider.attributesOfItem(path: path))
            let isSame = TreeSnapshot.Entry(item).isSame(as: TreeSnapshot.Entry(now))
            return (isSame ? [] : [FileChange(.modified, path: path)], .item(now))
        case .folder(let snapshot):
            let (changes, now) = try await snapshot.compare(
                with: provider,
                trustsFolderTags: trustsFolderTags,
                clock: clock
            )
            let known = changes.isEmpty ? [] : snapshot.paths
            return (changes.map { FileChange($0, below: path, known: known) }, .folder(now))
        }
    }
}

extension FileChange {
    /// Makes the change that a watcher gets of a tracked change.
    fileprivate init(_ change: TrackedChange, below folder: ItemPath, known: Set<ItemPath>) {
        switch change {
        case .removed(let path, _): self.init(.removed, path: path)
        // A snapshot never makes these; if one comes, everything is listed again.
        case .removedItem: self.init(.rescan, path: folder)
        case .updated(let file, let previous?): self.init(.moved(from: previous), path: file.path)
        case .updated(let file, nil): self.init(known.contains(file.path) ? .modified : .created, path: file.path)
        }
    }
}

/// The time between two questions, which grows while nothing happens.
package struct PollingInterval: Sendable, Hashable {
    private let shortest: Duration
    private let longest: Duration

    /// The time to wait now.
    package private(set) var current: Duration

    /// Makes an interval that begins with the shortest time.
    ///
    /// - Parameters:
    ///   - shortest: The time between two questions while things happen.
    ///   - longest: The time between two questions when nothing has happened for a while.
    package init(from shortest: Duration = .seconds(1), to longest: Duration = .seconds(60)) {
        self.shortest = shortest
        self.longest = longest
        current = shortest
    }

    /// Notes an answer.
    ///
    /// - Parameter hasChanges: A Boolean value that indicates whether anything has happened.
    package mutating func note(hasChanges: Bool) {
        current = hasChanges ? shortest : min(current * 3 / 2, longest)
    }

    /// Notes that no answer came.
    ///
    /// - Parameter delay: The time that the service asks for; `nil` if it does not say.
    package mutating func noteFailure(delay: Duration? = nil) {
        current = max(min(current * 2, longest), delay ?? .zero)
    }
}
