import ArgumentParser
import FerryCore
import Foundation

/// `ferry trash empty`: removes from the trash for good.
struct TrashEmptyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty",
        abstract: "Remove items from the trash for good.",
        discussion: """
            EXAMPLES
              ferry trash empty --id report.pdf.2
              ferry trash empty work: --all
            """
    )

    @Argument(help: .location("Anything on the storage (default: this machine)."), completion: .directory)
    var location: String?

    @Option(name: .customLong("id"), help: "An item's identifier, from 'ferry trash list'; repeat it for more.")
    var ids: [String] = []

    @Flag(help: "Remove all that is in the trash.")
    var all = false

    func validate() throws {
        if ids.isEmpty, !all { throw ValidationError("say which items with --id, or --all") }
    }

    func run() async throws {
        try await Session.run { session in
            try await session.forEach([location ?? "/"]) { location in
                let storage = try location.ability((any FileProviderTrash).self, TrashCommand.ability)
                if all { return try await storage.emptyTrash(nil) }
                let items = try await storage.trashedItems()
                for id in ids where !items.contains(where: { $0.id == id }) {
                    session.report(CocoaError.location(id, "not in the trash", "see 'ferry trash list'"))
                }
                let chosen = items.filter { ids.contains($0.id) }
                if !chosen.isEmpty { try await storage.emptyTrash(chosen) }
            }
        }
    }
}
