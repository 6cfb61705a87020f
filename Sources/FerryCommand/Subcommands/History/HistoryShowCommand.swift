import ArgumentParser
import FerryCore
import FerryUndo
import Foundation

/// `ferry history show`: all that is known of one command.
struct HistoryShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what a command has done, step by step.",
        discussion: """
            The steps are those that undoing it would take back, the last first.

            EXAMPLES
              ferry history show 3f2a91bc
            """
    )

    @Argument(
        help: ArgumentHelp("The command's id, or the beginning of it, as 'ferry history' shows it.", valueName: "id")
    )
    var id: String

    func run() async throws {
        try await Session.run { session in
            let command = try HistoryChoice.named(id, in: try await HistoryKeeper(session).read())
            let header = command.given.header
            var facts = [
                ("id", command.given.id.uuidString.lowercased()), ("command", HistoryWords.command(command.given)),
                ("state", HistoryWords.state(command)), ("date", "\(UTCTime.text(header.date).prefix(19))Z"),
                ("folder", TerminalText.oneLine(header.folder)),
            ]
            if command.kept > 0 { facts.append(("keeps", Quantity.words(bytes: command.kept))) }
            for (name, value) in facts {
                session.output.write(name: name.padding(toLength: 9, withPad: " ", startingAt: 0) + value)
                try session.output.endLine()
            }
            for entry in command.undoable.flatMap(\.entries).reversed() {
                for step in entry.entry.steps.reversed() {
                    let line = HistoryWords.inverse(of: step, prefix: entry.prefix)
                    session.output.write(name: "  " + TerminalText.oneLine(line))
                    try session.output.endLine()
                }
            }
        }
    }
}
