import ArgumentParser
import FerryCore

/// `ferry lock refresh`: makes a lock hold longer.
struct LockRefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Make a lock hold longer, and print until when.",
        discussion: """
            EXAMPLES
              ferry lock refresh work:plan.txt "$token" --timeout 15m
            """
    )

    @Argument(help: .location("The item that is locked."))
    var location: String

    @Argument(help: "The lock's token.")
    var token: String

    @Option(help: ArgumentHelp("How long from now: 90s, 15m, 2h (default: 10m).", valueName: "time"))
    var timeout: TimeSpan?

    func run() async throws {
        try await Session.run { session in
            try await session.forEach([location]) { location in
                let storage = try location.ability((any FileProviderLocking).self, LockCommand.ability)
                let held = FileLock(path: location.path, token: token)
                let lock = try await LockCommand.holding(token, on: location) {
                    try await storage.refresh(held, timeout: timeout?.duration ?? LockCommand.usualTimeout)
                }
                session.output.write(lock.expires.map { "until \(UTCTime.text($0))" } ?? "refreshed")
                try session.output.endLine()
            }
        }
    }
}
