import Foundation
import Synchronization

/// Files that are written in parts by this process, with the bytes that are held back of each, up to 10 MiB.
///
/// A process that lives on may never finish some of them. Of those that nobody has written to for a while, a few are
/// kept; to go on with another one, the service is asked which bytes it has.
final class OneDrivePartialUploads: Sendable {
    private struct Entry: Sendable {
        let upload: OneDrivePartialUpload
        var used: Date
        /// Calls that are working on it.
        var users = 0
    }

    /// Uploads that are kept while nobody writes to them.
    private static let mostIdle = 4

    /// The time after which nobody is taken to be writing to an upload.
    private static let idleTime: TimeInterval = 600

    private let entries = Mutex<[String: Entry]>([:])

    /// Returns an upload of this process.
    ///
    /// - Parameters:
    ///   - id: Its name in the store.
    ///   - now: The time of day.
    /// - Returns: `nil` if it is not known, or no longer.
    func upload(_ id: String, now: Date) -> OneDrivePartialUpload? {
        entries.withLock { entries in
            entries[id]?.used = now
            return entries[id]?.upload
        }
    }

    /// Adds an upload, unless there is one already; of those that nobody writes to, the ones left longest go.
    ///
    /// - Parameters:
    ///   - upload: The upload.
    ///   - id: Its name in the store.
    ///   - now: The time of day.
    /// - Returns: The upload of that name.
    @discardableResult
    func add(_ upload: OneDrivePartialUpload, _ id: String, now: Date) -> OneDrivePartialUpload {
        entries.withLock { entries in
            var entry = entries[id] ?? Entry(upload: upload, used: now)
            entry.used = now
            entries[id] = entry
            let idle = entries.filter { entry in
                entry.value.users == 0 && now.timeIntervalSince(entry.value.used) >= Self.idleTime
            }
            for (id, _) in idle.sorted(by: { $0.value.used > $1.value.used }).dropFirst(Self.mostIdle) {
                entries[id] = nil
            }
            return entry.upload
        }
    }

    /// Notes that a call works on an upload, which is kept until the call has ended, however long that takes.
    ///
    /// - Parameter id: Its name in the store.
    func begin(_ id: String) { entries.withLock { $0[id]?.users += 1 } }

    /// Notes that a call no longer works on an upload.
    ///
    /// - Parameters:
    ///   - id: Its name in the store.
    ///   - now: The time of day.
    func end(_ id: String, now: Date) {
        entries.withLock { entries in
            entries[id]?.users -= 1
            entries[id]?.used = now
        }
    }

    /// Removes an upload.
    ///
    /// - Parameter id: Its name in the store.
    func remove(_ id: String) { entries.withLock { $0[id] = nil } }

    /// The number of uploads that are kept.
    var count: Int { entries.withLock { $0.count } }
}
