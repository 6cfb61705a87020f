import ArgumentParser
import FerryCore

/// `ferry lock list`: the locks on items.
struct LockListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the locks on items, whoever holds them.",
        discussion: """
            Shown are token, scope, end, owner, and the item that is locked.

            EXAMPLES
              ferry lock list work:plan.txt
            """,
        aliases: ["ls"]
    )

    @Argument(help: .location("The items."))
    var locations: [String]

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            try await session.forEach(locations) { location in
                let storage = try location.ability((any FileProviderLocking).self, LockCommand.ability)
                for lock in try await storage.locks(on: location.path) {
                    if json {
                        try session.output.write(lock)
                        continue
                    }
                    let facts = [
                        lock.token, lock.scope.rawValue, lock.expires.map { "until \(UTCTime.text($0))" }, lock.owner,
                        location.display(lock.path),
                    ]
                    try session.output.writeLine(of: facts)
                }
            }
        }
    }
}
