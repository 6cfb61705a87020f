import ArgumentParser
import Foundation

/// Makes a store with many entries, unless it is there.
struct FillStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fill-store",
        abstract: "Makes a store with many entries, unless it is there."
    )

    @Argument(help: "The store's folder.")
    var folder: String

    @Argument(help: "How many entries.")
    var count: Int

    func run() async throws {
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        try await FilledStore(folder: folder).fill(count: count)
    }
}
