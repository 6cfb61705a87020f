import ArgumentParser
import FerryCore

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
        // Refreshing it proves that it is held, and tells the storage of it.
        _ = try await storage.refresh(FileLock(path: location.path, token: token), timeout: nil)
    }
}
