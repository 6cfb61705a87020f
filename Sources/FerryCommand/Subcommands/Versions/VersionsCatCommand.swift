import ArgumentParser
import FerryCore
import NIOCore

/// `ferry versions cat`: an earlier content of a file.
struct VersionsCatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Print an earlier content of a file.",
        discussion: """
            EXAMPLES
              ferry versions cat work:report.txt 1750000000 > report-old.txt
            """
    )

    @Argument(help: .location("The file."))
    var location: String

    @Argument(help: "The version, from 'ferry versions list'.")
    var id: String

    func run() async throws {
        try await Session.run { session in
            try await session.forEach([location]) { location in
                let storage = try location.ability((any FileProviderVersioning).self, VersionsCommand.ability)
                let version = try await storage.version(id, of: location)
                for try await chunk in try await storage.contentStream(of: version, path: location.path) {
                    try chunk.withUnsafeReadableBytes { try session.output.write(through: $0) }
                }
            }
        }
    }
}
