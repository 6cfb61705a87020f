#if os(Linux)
import FerryCore
import Synchronization

/// One watch: the tree, and those whom its changes are told.
final class WatchedTree: Sendable {
    /// Where the changes go.
    let feed: FileChangeFeed

    private let path: ItemPath
    private let watch: Mutex<TreeWatch?>

    /// Watches everything; what happens from now on waits until somebody asks.
    ///
    /// - Parameters:
    ///   - path: The item to watch.
    ///   - base: Where the path begins.
    ///   - pendingLimit: Events that are kept until they are handled, at most.
    ///   - movePatience: The time for which the other half of a move is waited for.
    /// - Throws: `CocoaError.fileNoSuchFile`; what keeps the folder, or as many folders, from being watched.
    init(
        _ path: ItemPath,
        in base: BaseFolder,
        pendingLimit: Int = 1 << 17,
        movePatience: Duration = TreeWatch.patience
    ) throws {
        self.path = path
        feed = FileChangeFeed(under: path)
        do {
            var watch = try TreeWatch(path, in: base, pendingLimit: pendingLimit, movePatience: movePatience)
            do {
                try watch.begin()
            } catch .overflow {
                try watch.rebuild()
                // Nobody has seen anything yet that could be wrong.
                _ = watch.takeNotes()
            }
            self.watch = Mutex(watch)
        } catch {
            throw error.mapped(path)
        }
    }

    /// The list of events to wait for until there is something to read; `nil` when the watch has ended.
    var descriptor: Inotify? { watch.withLock { $0?.inotify } }

    /// Bytes that are in use for what is known of the tree.
    var footprint: Int { watch.withLock { $0?.footprint ?? 0 } }

    /// Folders and files that are known.
    var itemCount: Int { watch.withLock { $0.map { $0.index.folderCount + $0.index.fileCount } ?? 0 } }

    /// Takes what the kernel has to tell.
    ///
    /// - Returns: `true` if it should be handled at once.
    func drain() -> Bool {
        watch.withLock { $0?.drain() ?? false }
    }

    /// Handles what was taken, and tells the changes.
    ///
    /// - Returns: When there is more to do even if the kernel tells nothing.
    func handle() -> ContinuousClock.Instant? {
        let (notes, deadline, ending) = watch.withLock { watch in
            guard watch != nil else { return ([NotedChange](), ContinuousClock.Instant?.none, WatchFailure?.none) }
            var deadline: ContinuousClock.Instant?
            var ending: WatchFailure?
            do throws(WatchFailure) {
                do throws(WatchFailure) {
                    deadline = try watch?.handle(ContinuousClock.now) ?? nil
                } catch .overflow {
                    try watch?.rebuild()
                }
            } catch {
                ending = error
            }
            let notes = watch?.takeNotes() ?? []
            if ending != nil { watch = nil }
            return (notes, deadline, ending)
        }
        feed.tell(notes)
        switch ending {
        case .gone:
            feed.tell([NotedChange(FileChange(.removed, path: path))])
            feed.finish()
        case let failure?:
            feed.finish(throwing: failure.mapped(path))
        case nil: break
        }
        return deadline
    }

    /// Ends the watch, and frees what the kernel keeps for it.
    func end() {
        watch.withLock { $0 = nil }
        feed.finish()
    }
}
#endif
