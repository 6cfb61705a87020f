import ArgumentParser
import FerryCore
import Foundation

/// `ferry versions`: the earlier contents of files.
struct VersionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "List earlier contents of files, print them, restore them.",
        discussion: """
            EXAMPLES
              ferry versions list work:report.txt
              ferry versions cat work:report.txt 1750000000 | diff - report.txt
              ferry versions restore work:report.txt 1750000000
            """,
        subcommands: [VersionsListCommand.self, VersionsCatCommand.self, VersionsRestoreCommand.self]
    )

    /// The name of the ability.
    static let ability = "versions"
}

extension FileProviderVersioning {
    /// The version that a person means.
    func version(_ id: String, of location: Location) async throws -> FileVersion {
        guard let version = try await versions(of: location.path).first(where: { $0.id == id }) else {
            throw CocoaError.location(
                location.text,
                "there is no version '\(id)'",
                "see 'ferry versions list'"
            )
        }
        return version
    }
}
