import ArgumentParser
import FerryCore
import FerryUndo
import Foundation

/// `ferry history list`: what was done, the latest first.
struct HistoryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what ferry has done, the latest first.",
        discussion: """
            A line each: the id, when, what has become of it, how much is kept for it, and
            the command. What has become of it is one of: done, undone, partly undone,
            redone, partly redone, interrupted, at work, too old to undo, can't be undone,
            nothing done. What has done nothing and is over is not listed.

            EXAMPLES
              ferry history
              ferry history -n 100 --json
            """
    )

    @Option(name: .customShort("n"), help: ArgumentHelp("How many commands to show.", valueName: "number"))
    var count = 20

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func validate() throws {
        if count < 1 { throw ValidationError("-n needs a number from 1 on") }
    }

    func run() async throws {
        try await Session.run { session in
            let history = try await HistoryKeeper(session).read()
            if history.strangeLines > 0 {
                let lines = Quantity.count(history.strangeLines, "line")
                session.console.tell("ferry: note: \(lines) of the history could not be read")
            }
            for command in history.commands.reversed().prefix(count) {
                if json { try write(command, session) } else { try show(command, session) }
            }
        }
    }

    private func show(_ command: History.Command, _ session: Session) throws {
        let date = "\(UTCTime.text(command.given.header.date).prefix(19))Z"
        let kept = command.kept == 0 ? "" : ", keeps \(Quantity.words(bytes: command.kept))"
        let words = HistoryWords.command(command.given)
        session.output.write(
            name: "\(HistoryWords.id(command))  \(date)  \(HistoryWords.state(command))\(kept)  \(words)"
        )
        try session.output.endLine()
    }

    private func write(_ command: History.Command, _ session: Session) throws {
        let given = command.given
        try session.output.writeObject { line in
            line.text("id", given.id.uuidString.lowercased())
            line.text("state", HistoryWords.state(command))
            line.date("date", given.header.date)
            line.list("arguments", given.header.arguments)
            line.text("folder", given.header.folder)
            line.number("kept", command.kept)
            line.objects("operations", given.entries.isEmpty ? command.latest.entries : given.entries) { entry, line in
                line.text("operation", entry.entry.operation.description)
                line.text("location", entry.prefix + (entry.entry.steps.first?.path.string ?? ""))
                line.number("steps", Int64(entry.entry.steps.count))
                line.flag("undoable", entry.entry.isReversible)
            }
        }
    }
}
