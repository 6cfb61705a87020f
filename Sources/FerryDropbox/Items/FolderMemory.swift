import FerryCore
import Foundation
import Synchronization

/// Folders that were there a moment ago.
///
/// Dropbox makes missing folders on the way, where Ferry refuses to write: so each write needs to know that its folder
/// is there. Asking once every few seconds is enough for many files that go into one folder.
final class FolderMemory: Sendable {
    private static let lifetime: TimeInterval = 5
    private static let most = 10_000

    private let times = Mutex<[String: Date]>([:])
    private let now: @Sendable () -> Date

    /// Makes an empty memory.
    ///
    /// - Parameter now: The time of day.
    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Notes that a folder is there.
    ///
    /// - Parameter path: The folder.
    func note(_ path: ItemPath) {
        let time = now()
        times.withLock { times in
            if times.count > Self.most { times = [:] }
            times[DropboxPath.key(path)] = time
        }
    }

    /// Returns whether a folder was there a moment ago.
    ///
    /// - Parameter path: The folder.
    /// - Returns: `false` if it must be asked for.
    func contains(_ path: ItemPath) -> Bool {
        guard let time = times.withLock({ $0[DropboxPath.key(path)] }) else { return false }
        return now().timeIntervalSince(time) < Self.lifetime
    }

    /// Forgets a folder and all below it, since it was removed or moved.
    ///
    /// - Parameter path: The folder.
    func forget(_ path: ItemPath) {
        let key = DropboxPath.key(path)
        let prefix = key + "/"
        times.withLock { times in
            times = times.filter { $0.key != key && !$0.key.hasPrefix(prefix) }
        }
    }
}
