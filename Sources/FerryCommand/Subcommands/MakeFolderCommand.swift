import ArgumentParser
import FerryCore
import Foundation

/// `ferry mkdir`: new folders.
struct MakeFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkdir",
        abstract: "Make folders.",
        discussion: """
            EXAMPLES
              ferry mkdir photos
              ferry mkdir -p photos/2026/06     with the folders above, or as they are
            """
    )

    @Argument(help: .location("The folder to make."), completion: .directory)
    var locations: [String]

    @Flag(name: [.customShort("p"), .customLong("parents")], help: "Make the folders above it, too.")
    var parents = false

    func run() async throws {
        try await Session.run(recording: true) { session in
            try await session.forEach(locations) { location in
                if location.path.isRoot {
                    if parents { return }
                    throw CocoaError.itemExists(location.path)
                }
                await session.changes(location)
                try await location.storage.create(
                    folder: location.path.lastName,
                    at: location.path.parent,
                    creatingParents: parents
                )
            }
        }
    }
}
