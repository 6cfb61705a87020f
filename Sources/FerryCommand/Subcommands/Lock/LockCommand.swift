import ArgumentParser
import FerryCore
import Foundation

/// `ferry lock`: keeps others from changing items.
struct LockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock items against others, list locks, refresh and release them.",
        discussion: """
            A lock outlives the command: it holds until it is released, or its time is
            over. What changes a locked item needs the token that 'lock take' prints.

            EXAMPLES
              token=$(ferry lock take work:plan.txt --timeout 15m)
              ferry write -f work:plan.txt --lock-token "$token" < plan.txt
              ferry lock release work:plan.txt "$token"
            """,
        subcommands: [
            LockTakeCommand.self, LockListCommand.self, LockRefreshCommand.self, LockReleaseCommand.self,
        ]
    )

    /// The name of the ability.
    static let ability = "locks"

    /// How long a lock holds if nobody says.
    static let usualTimeout = Duration.seconds(600)

    /// Does something with a lock that is held.
    ///
    /// - Parameters:
    ///   - token: The lock's token.
    ///   - location: The item that it is on.
    ///   - body: The work.
    /// - Returns: The value that the work returns.
    /// - Throws: `CocoaError` that says so if there is no such lock; any other error that the work throws.
    static func holding<Result>(
        _ token: String,
        on location: Location,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as any FileProviderHTTPError where error.statusCode == 412 {
            let words = "is not locked by \(token), or not any more"
            throw CocoaError.location(location.text, words, "see 'ferry lock list'")
        }
    }
}

extension ByteSink {
    /// Writes a lock as a JSON object.
    ///
    /// - Parameter lock: The lock.
    /// - Throws: Any error that writing throws.
    func write(_ lock: FileLock) throws {
        try writeObject { line in
            line.text("path", lock.path.string)
            line.text("token", lock.token)
            line.text("scope", lock.scope.rawValue)
            line.flag("includesItemsBelow", lock.includesItemsBelow)
            line.text("owner", lock.owner)
            line.date("expires", lock.expires)
        }
    }
}
