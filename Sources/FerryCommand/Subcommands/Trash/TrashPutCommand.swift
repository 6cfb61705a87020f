import ArgumentParser
import FerryCore

/// `ferry trash put`: removes items so that they can come back.
struct TrashPutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Put items into the trash, folders with all below them.",
        discussion: """
            EXAMPLES
              ferry trash put old.txt work:old-photos
            """
    )

    @Argument(help: .location("What to put there."), completion: .file())
    var locations: [String]

    func run() async throws {
        try await Session.run(recording: true) { session in
            for text in locations where !RemoveCommand.isRefused(text, session) {
                try await session.forEach([text]) { location in
                    let storage = try location.ability((any FileProviderTrash).self, TrashCommand.ability)
                    if location.demandsFolder { _ = try await location.resolved() }
                    await session.changes(location)
                    try await storage.trashItem(path: location.path)
                }
            }
        }
    }
}
