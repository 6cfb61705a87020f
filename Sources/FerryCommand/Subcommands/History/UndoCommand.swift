import ArgumentParser

/// `ferry undo`: what was done is taken back.
struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back what ferry did last.",
        discussion: """
            Everything that a command did is taken back together: what it moved goes back,
            what it replaced or removed comes back with its dates, what it made goes away.
            Of a command that was killed, what it had done until then. First all of it is
            looked at: if somebody has changed something since, nothing is undone.

            See 'ferry history' for what there is, and how long it is kept.

            EXAMPLES
              ferry undo
              ferry undo --dry-run       what would be done
              ferry undo -n 3            the last three commands
            """
    )

    @Option(name: .customShort("n"), help: ArgumentHelp("How many commands to take back.", valueName: "number"))
    var count = 1

    @Flag(name: .long, help: "Only print what would be done, and whether it can be.")
    var dryRun = false

    func validate() throws {
        if count < 1 { throw ValidationError("-n needs a number from 1 on") }
    }

    func run() async throws {
        try await Session.run { session in
            try await HistoryUndoing(session, isDryRun: dryRun).run(count, isRedo: false)
        }
    }
}
