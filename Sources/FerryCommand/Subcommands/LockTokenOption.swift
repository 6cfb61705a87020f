import ArgumentParser
import FerryCore
import Foundation

/// The option of everything that changes items which may be locked.
struct LockTokenOption: ParsableArguments {
    @Option(
        name: .customLong("lock-token"),
        help: ArgumentHelp("The token of a lock that you hold.", valueName: "token")
    )
    var token: String?

    /// Makes the storage use the lock for what follows.
    ///
    /// - Parameter location: What the lock is on, or what is below it.
    /// - Throws: ``PreconditionFailedError`` when the lock is no longer held.
    func use(on location: Location) async throws {
        guard let token else { return }
        let storage = try location.ability((any FileProviderLocking).self, LockCommand.ability)
        // Refreshing it proves that it is held, and tells the storage of it; it shall not end sooner or later by that.
        let expires = try await storage.locks(on: location.path).first { $0.token == token }?.expires
        let rest = expires.map { Duration.seconds(max(1, Int64($0.timeIntervalSinceNow.rounded(.up)))) }
        let lock = FileLock(path: location.path, token: token)
        _ = try await storage.refresh(lock, timeout: rest ?? LockCommand.usualTimeout)
    }
}
