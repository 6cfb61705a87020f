import ArgumentParser
import FerryCore
import Foundation

/// `ferry history list`: what was done, the latest first.
struct HistoryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what ferry has done, the latest first.",
        discussion: """
            A line each: when, what has become of it, how much is kept for it, and the
            command.

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
            let history = try await HistoryKeeper(session).read(latest: max(count, 200))
            if history.strangeLines > 0 {
                let lines = Quantity.count(history.strangeLines, "line")
                session.console.tell("ferry: note: \(lines) of the history could not be read")
            }
            for group in history.groups.reversed().prefix(count) {
                if json { try write(group, session) } else { try show(group, session) }
            }
        }
    }

    private func show(_ group: History.Group, _ session: Session) throws {
        let date = "\(UTCTime.text(group.header.date).prefix(19))Z"
        let kept = group.isDropped || group.kept == 0 ? "" : ", keeps \(Quantity.words(bytes: group.kept))"
        session.output.write(name: "\(date)  \(HistoryWords.state(group))\(kept)  \(HistoryWords.command(group))")
        try session.output.endLine()
    }

    private func write(_ group: History.Group, _ session: Session) throws {
        try session.output.writeObject { line in
            line.text("id", group.id.uuidString.lowercased())
            line.text("state", HistoryWords.state(group))
            line.date("date", group.header.date)
            line.list("arguments", group.header.arguments)
            line.text("folder", group.header.folder)
            line.number("kept", group.isDropped ? 0 : group.kept)
            line.objects("operations", group.entries) { entry, line in
                line.text("operation", entry.entry.operation.description)
                line.text("location", entry.prefix + (entry.entry.steps.first?.path.string ?? ""))
                line.number("steps", Int64(entry.entry.steps.count))
                line.flag("undoable", entry.entry.isReversible)
            }
        }
    }
}
