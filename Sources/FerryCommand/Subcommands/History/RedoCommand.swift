import ArgumentParser

/// `ferry redo`: what was taken back is done again.
struct RedoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Do again what 'ferry undo' took back.",
        discussion: """
            As long as nothing else was done since, in any terminal: it is always
            what was taken back last.

            EXAMPLES
              ferry undo && ferry redo
              ferry redo -n 3
            """
    )

    @Option(name: .customShort("n"), help: ArgumentHelp("How many commands to do again.", valueName: "number"))
    var count = 1

    @Flag(help: "Accepted for symmetry with 'ferry undo --any'; redo is never limited to this terminal.")
    var any = false

    @Flag(name: .long, help: "Only print what would be done, and whether it can be.")
    var dryRun = false

    func validate() throws {
        if count < 1 { throw ValidationError("-n needs a number from 1 on") }
    }

    func run() async throws {
        try await Session.run { session in
            try await HistoryLock.hold(session, isNeeded: !dryRun) {
                try await HistoryUndoing(session, isDryRun: dryRun).redo(count)
            }
        }
    }
}
