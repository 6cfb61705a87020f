package import Foundation
import Synchronization

/// Where uploads that are under way are remembered.
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
