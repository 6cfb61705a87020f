import ArgumentParser
import FerryCore

/// `ferry lock release`, and `ferry unlock`: ends a lock.
struct LockReleaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "End a lock.",
        discussion: """
            EXAMPLES
              ferry lock release work:plan.txt "$token"
            """
    )

    @Argument(help: .location("The item that is locked."))
    var location: String

    @Argument(help: "The lock's token.")
    var token: String

    func run() async throws {
        try await Self.release(location, token)
    }

    /// Ends a lock.
    ///
    /// - Parameters:
    ///   - text: The item that is locked, as it was written.
    ///   - token: The lock's token.
    /// - Throws: `ExitCode.failure` when it can't be ended.
    static func release(_ text: String, _ token: String) async throws {
        try await Session.run { session in
            try await session.forEach([text]) { location in
                let storage = try location.ability((any FileProviderLocking).self, LockCommand.ability)
                try await LockCommand.holding(token, on: location) {
                    try await storage.unlock(FileLock(path: location.path, token: token))
                }
            }
        }
    }
}
