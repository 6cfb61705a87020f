package import Foundation
import Synchronization

/// The place where providers remember uploads that are under way.
///
/// A transfer remembers its own in its journal, as `PartialWrite`s. This is for `copyItem(localFile:)` of apps that have no
/// journal, and for addresses of sessions that let anybody write, which no `PartialWrite` holds.
package protocol UploadSessionStore: Sendable {
    /// The record of an upload.
    ///
    /// - Parameter key: The key that tells uploads apart: account and target.
    /// - Returns: The record, or `nil` if there is none that makes sense.
    /// - Throws: The error that keeps the store from being read.
    func record(for key: String) async throws -> UploadSessionRecord?

    /// Saves a record, or removes it.
    ///
    /// - Parameters:
    ///   - record: The record; `nil` to forget it.
    ///   - key: The key that tells uploads apart.
    /// - Throws: The error that keeps the store from being written.
    func save(_ record: UploadSessionRecord?, for key: String) async throws

    /// Forgets the uploads whose sessions the storages have forgotten by now.
    ///
    /// - Parameter now: The time.
    /// - Throws: The error that keeps the store from being written.
    func removeExpired(at now: Date) async throws
}

/// Makes a store.
///
/// - Parameter folder: The folder in which uploads are remembered; `nil` to remember them as long as the process lives.
/// - Returns: The store.
package func uploadSessionStore(in folder: URL?) -> any UploadSessionStore {
    folder.map { FolderUploadSessionStore(url: $0) } ?? MemoryUploadSessionStore()
}

/// Remembers uploads as long as the process lives.
package final class MemoryUploadSessionStore: UploadSessionStore {
    private let records = Mutex<[String: UploadSessionRecord]>([:])

    /// Makes an empty store.
    package init() {}

    /// The record of an upload.
    ///
    /// - Parameter key: The key that tells uploads apart.
    /// - Returns: The record.
    package func record(for key: String) -> UploadSessionRecord? { records.withLock { $0[key] } }

    /// Saves a record, or removes it.
    ///
    /// - Parameters:
    ///   - record: The record; `nil` to forget it.
    ///   - key: The key that tells uploads apart.
    package func save(_ record: UploadSessionRecord?, for key: String) { records.withLock { $0[key] = record } }

    /// Forgets the uploads whose sessions the storages have forgotten by now.
    ///
    /// - Parameter now: The time.
    package func removeExpired(at now: Date) {
        records.withLock { $0 = $0.filter { !$0.value.session.isExpired(at: now) } }
    }
}
