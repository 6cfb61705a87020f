import ArgumentParser
import FerryCore

/// `ferry versions list`: the earlier contents of a file.
struct VersionsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the earlier contents of a file, the latest first.",
        discussion: """
            Shown are size, date and identifier; the present content is not among them.

            EXAMPLES
              ferry versions list work:report.txt
            """,
        aliases: ["ls"]
    )

    @Argument(help: .location("The file."))
    var location: String

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            try await session.forEach([location]) { location in
                let storage = try location.ability((any FileProviderVersioning).self, VersionsCommand.ability)
                let versions = try await storage.versions(of: location.path)
                let width = versions.reduce(1) { max($0, Self.size($1).count) }
                for version in versions {
                    if json {
                        try write(version, session.output)
                        continue
                    }
                    let size = Self.size(version)
                    session.output.write(String(repeating: " ", count: width - size.count) + size)
                    session.output.write("  " + ListingStyle.dateText(version.modifiedDate) + "  ")
                    session.output.write(name: version.id)
                    try session.output.endLine()
                }
            }
        }
    }

    private static func size(_ version: FileVersion) -> String { version.size.map { String($0) } ?? "-" }

    private func write(_ version: FileVersion, _ sink: ByteSink) throws {
        try sink.writeObject { line in
            line.text("id", version.id)
            line.number("size", version.size)
            line.date("modified", version.modifiedDate)
            line.text("eTag", version.eTag)
        }
    }
}
