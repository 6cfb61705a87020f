import ArgumentParser

/// `ferry redo`: what was taken back is done again.
struct RedoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Do again what 'ferry undo' took back.",
        discussion: """
            As long as nothing else was done since.

            EXAMPLES
              ferry undo && ferry redo
              ferry redo -n 3
            """
    )

    @Option(name: .customShort("n"), help: ArgumentHelp("How many commands to do again.", valueName: "number"))
    var count = 1

    @Flag(name: .long, help: "Only print what would be done, and whether it can be.")
    var dryRun = false

    func validate() throws {
        if count < 1 { throw ValidationError("-n needs a number from 1 on") }
    }

    func run() async throws {
        try await Session.run { session in
            try await HistoryUndoing(session, isDryRun: dryRun).redo(count)
        }
    }
}
