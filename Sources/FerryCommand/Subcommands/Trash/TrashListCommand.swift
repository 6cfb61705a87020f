import ArgumentParser
import FerryCore

/// `ferry trash list`: what is in the trash.
struct TrashListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the trash, the latest first.",
        discussion: """
            Shown are the identifier, when it was put there, and where it came from.

            EXAMPLES
              ferry trash list
              ferry trash list --json work: | jq -r .path
            """,
        aliases: ["ls"]
    )

    @Argument(help: .location("Anything on the storage (default: this machine)."), completion: .directory)
    var location: String?

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            try await session.forEach([location ?? "/"]) { location in
                let storage = try location.ability((any FileProviderTrash).self, TrashCommand.ability)
                // Unfinished copies of ferry's own are no items of the person's.
                for trashed in try await storage.trashedItems()
                where !TemporaryName.isOne(trashed.originalPath.lastName) {
                    if json {
                        try write(trashed, session.output)
                        continue
                    }
                    session.output.write(name: trashed.id)
                    session.output.write("  " + ListingStyle.dateText(trashed.deletionDate) + "  ")
                    let text = location.prefix + trashed.originalPath.string
                    session.output.write(nameOf: trashed.item, as: text, styling: session.styling)
                    try session.output.endLine()
                }
            }
        }
    }

    private func write(_ trashed: TrashedItem, _ sink: ByteSink) throws {
        try sink.writeObject { line in
            line.text("id", trashed.id)
            line.text("path", trashed.originalPath.string)
            line.text("name", trashed.item.name)
            line.text("type", trashed.item.type.word)
            line.number("size", trashed.item.size)
            line.date("deleted", trashed.deletionDate)
        }
    }
}
