import ArgumentParser
import FerryCore

/// `ferry versions restore`: makes an earlier content the present one.
struct VersionsRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make an earlier content the present one.",
        discussion: """
            The present content becomes a version itself: nothing is lost.

            EXAMPLES
              ferry versions restore work:report.txt 1750000000
            """
    )

    @Argument(help: .location("The file."))
    var location: String

    @Argument(help: "The version, from 'ferry versions list'.")
    var id: String

    func run() async throws {
        try await Session.run(recording: true) { session in
            try await session.forEach([location]) { location in
                let storage = try location.ability((any FileProviderVersioning).self, VersionsCommand.ability)
                await session.changes(location)
                try await storage.restore(try await storage.version(id, of: location), of: location.path)
            }
        }
    }
}
