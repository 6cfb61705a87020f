import ArgumentParser

/// `ferry undo`: what was done is taken back.
struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back what ferry did last.",
        discussion: """
            The last command of this terminal, or the one that is named; in a script it
            must be named, or --any be given. If the last one can't be undone, nothing is:
            none that was given before it is taken in its place.

            Everything that a command did is taken back together: what it moved goes back,
            what it replaced or removed comes back with its dates, what it made goes away.
            Of a command that was killed, what it had done until then. First all of it is
            looked at: if somebody has changed something since, nothing is undone. What was
            not kept can't come back: then the rest does, and the exit code is 1.

            See 'ferry history' for what there is, and how long it is kept.

            EXAMPLES
              ferry undo
              ferry undo --dry-run       what would be done
              ferry undo -n 3            the last three commands
              ferry undo 3f2a91bc        that one: see 'ferry history'
            """
    )

    @Argument(
        help: ArgumentHelp("The command's id, or the beginning of it, as 'ferry history' shows it.", valueName: "id")
    )
    var id: String?

    @Option(name: .customShort("n"), help: ArgumentHelp("How many commands to take back.", valueName: "number"))
    var count = 1

    @Flag(help: "The last command, whichever terminal or script has given it.")
    var any = false

    @Flag(name: .long, help: "Only print what would be done, and whether it can be.")
    var dryRun = false

    func validate() throws {
        if count < 1 { throw ValidationError("-n needs a number from 1 on") }
        if id != nil, any || count > 1 { throw ValidationError("give an id, or -n and --any") }
    }

    func run() async throws {
        try await Session.run { session in
            let wish: HistoryChoice.Wish = id.map { .one($0) } ?? (any ? .last(count) : .lastHere(count))
            try await HistoryLock.hold(session, isNeeded: !dryRun) {
                try await HistoryUndoing(session, isDryRun: dryRun).undo(wish)
            }
        }
    }
}
