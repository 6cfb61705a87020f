import ArgumentParser
import FerryCache
import FerryCore

/// Opens a store, and asks it one question.
struct OpenStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open-store",
        abstract: "Opens a store that was filled, and asks for one entry."
    )

    @Argument(help: "The store's folder.")
    var folder: String

    func run() async throws {
        let store = FilledStore(folder: folder)
        _ = try await store.files().withCaching(.onlyIfCached).attributesOfItem(path: store.storage.items[0].path)
    }
}
