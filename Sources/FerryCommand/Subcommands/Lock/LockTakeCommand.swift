import ArgumentParser
import FerryCore

/// `ferry lock take`: locks an item.
struct LockTakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take",
        abstract: "Lock an item, and print the lock's token.",
        discussion: """
            EXAMPLES
              ferry lock take work:plan.txt
              ferry lock take work:drafts --timeout 2h --owner "Alice, room 12"
            """
    )

    @Argument(help: .location("The item; a folder is locked with all below it."))
    var location: String

    @Option(help: ArgumentHelp("How long it shall hold: 90s, 15m, 2h (default: 10m).", valueName: "time"))
    var timeout: TimeSpan?

    @Flag(help: "Keep out only those who have no shared lock themselves.")
    var shared = false

    @Option(help: "Who you are, for others to read.")
    var owner: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            try await session.forEach([location]) { location in
                let storage = try location.ability((any FileProviderLocking).self, LockCommand.ability)
                let options = FileLockOptions(
                    scope: shared ? .shared : .exclusive,
                    owner: owner,
                    timeout: timeout?.duration ?? LockCommand.usualTimeout
                )
                let lock = try await storage.lock(path: location.path, options: options)
                if json { return try session.output.write(lock) }
                session.output.write(name: lock.token)
                try session.output.endLine()
            }
        }
    }
}
