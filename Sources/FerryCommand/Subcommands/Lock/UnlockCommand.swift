import ArgumentParser

/// `ferry unlock`: ends a lock.
struct UnlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "End a lock: the same as 'ferry lock release'.",
        discussion: """
            EXAMPLES
              ferry unlock work:plan.txt "$token"
            """
    )

    @Argument(help: .location("The item that is locked."))
    var location: String

    @Argument(help: "The lock's token.")
    var token: String

    func run() async throws {
        try await LockReleaseCommand.release(location, token)
    }
}
