import ArgumentParser
import FerryCore
import Foundation

/// `ferry history salvage`: what is kept and no command leads to.
struct HistorySalvageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "List, or bring back, what is kept and 'ferry undo' can't reach.",
        discussion: """
            Such is left by a command that was killed at the wrong moment, and by other
            machines that use the same server. A line each: size, when it was kept, where,
            and what it is called there. With a folder, all of it is brought there, under
            these names; on a server it stays, too, until it is 30 days old.

            EXAMPLES
              ferry history salvage
              ferry history salvage ~/rescued
              ferry history salvage --on work: ~/rescued
            """
    )

    @Argument(
        help: "The folder of this machine that it is brought to; it is made if it is missing.",
        completion: .directory
    )
    var folder: String?

    @Option(help: ArgumentHelp("Look at this remote, too, if the history doesn't name it.", valueName: "remote"))
    var on: [String] = []

    func run() async throws {
        try await Session.run { session in
            let salvage = HistorySalvage(session)
            let items = try await salvage.items(on: on.map(RemoteName.prefix))
            guard let folder else {
                for item in items { try show(item, session) }
                return
            }
            guard let named = try await session.locate(folder) else { return }
            guard named.isLocal else {
                throw CocoaError.location(folder, "is not on this machine", "name a local folder")
            }
            let target = try await named.folderOrNothing()
            if !items.isEmpty, try await target.attributesIfExists() == nil {
                try await target.storage.create(folder: target.path.lastName, at: target.path.parent)
            }
            for item in items {
                try await session.attempt(target) {
                    try await salvage.bring(item, to: target)
                    try show(item, session)
                }
            }
        }
    }

    private func show(_ item: HistorySalvage.Item, _ session: Session) throws {
        let size = item.isFolder ? "folder" : item.size.map { Quantity.words(bytes: $0) } ?? "?"
        let date = item.date.map { "\(UTCTime.text($0).prefix(19))Z" } ?? "-"
        let place = item.prefix.isEmpty ? "here" : item.prefix
        session.output.write(name: TerminalText.oneLine("\(size)  \(date)  \(place)  \(item.name)"))
        try session.output.endLine()
    }
}
