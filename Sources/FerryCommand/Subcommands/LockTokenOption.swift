import ArgumentParser
import FerryCore
import Foundation

/// The option of everything that changes items which may be locked.
struct LockTokenOption: ParsableArguments {
    @Option(
        name: .customLong("lock-token"),
        help: ArgumentHelp(
            "The token of a lock of yours, on it or on a folder above; may be given again.",
            valueName: "token"
        )
    )
    var tokens: [String] = []

    /// Makes the storages use the locks for what follows.
    ///
    /// - Parameter locations: The items that are changed: each lock is on one of them, on a folder above it, or on the
    ///   folder that it is or will be in.
    /// - Throws: `CocoaError` when a lock is not held, or not any more.
    func use(on locations: [Location]) async throws {
        for token in tokens { try await use(token, on: locations) }
    }

    private func use(_ token: String, on locations: [Location]) async throws {
        let (storage, lock, location) = try await find(token, on: locations)
        // Refreshing it proves that it is held, and tells the storage of it; it shall not end sooner or later by that.
        let rest = lock.expires.map { Duration.seconds(max(1, Int64($0.timeIntervalSinceNow.rounded(.up)))) }
        try await LockCommand.holding(token, on: location) {
            _ = try await storage.refresh(lock, timeout: rest ?? LockCommand.usualTimeout)
        }
    }

    private func find(
        _ token: String,
        on locations: [Location]
    ) async throws -> (any FileProviderLocking, FileLock, Location) {
        for location in locations {
            guard let storage = location.storage as? any FileProviderLocking else { continue }
            for path in [location.path, location.path.parent] {
                do {
                    let locks = try await storage.locks(on: path)
                    if let lock = locks.first(where: { $0.token == token }) { return (storage, lock, location) }
                } catch let error as CocoaError where error.code == .fileNoSuchFile {
                    // A lock is never on an item that does not exist yet.
                }
            }
        }
        // There are servers that tell of no lock.
        guard let location = locations.first(where: { $0.storage is any FileProviderLocking }) ?? locations.first else {
            throw CocoaError(.featureUnsupported)
        }
        let storage = try location.ability((any FileProviderLocking).self, LockCommand.ability)
        return (storage, FileLock(path: location.path, token: token), location)
    }
}
