import ArgumentParser
import FerryCore
import Foundation

/// `ferry trash restore`: takes an item out of the trash.
struct TrashRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Take an item out of the trash; it replaces nothing.",
        discussion: """
            If several items came from this place, the one that was put there last is
            restored, unless --id says another.

            EXAMPLES
              ferry trash restore report.pdf
              ferry trash restore work:report.pdf --to work:report-old.pdf
            """
    )

    @Argument(help: .location("Where it came from."), completion: .file())
    var location: String

    @Option(help: "The item's identifier, from 'ferry trash list'.")
    var id: String?

    @Option(help: .location("Where to put it instead, on the same storage."), completion: .file())
    var to: String?

    func run() async throws {
        try await Session.run(recording: true) { session in
            guard let location = try await session.locate(location) else { return }
            var target: Location?
            if let to {
                guard let place = try await session.locate(to) else { return }
                target = place
            }
            try await session.attempt(location, target ?? location) {
                let storage = try location.ability((any FileProviderTrash).self, TrashCommand.ability)
                if let target, !target.isOnSameStorage(as: location) {
                    throw CocoaError.location(target.text, "is on another storage", "restore it first, then move it")
                }
                let items = try await storage.trashedItems().filter { $0.originalPath == location.path }
                guard let item = items.first(where: { id == nil || $0.id == id }) else {
                    throw CocoaError.location(location.text, "not in the trash", "see 'ferry trash list'")
                }
                await session.changes(target ?? location)
                try await storage.restoreFromTrash(item, to: target?.path)
            }
        }
    }
}
