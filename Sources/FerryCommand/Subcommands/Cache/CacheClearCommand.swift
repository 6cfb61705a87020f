import ArgumentParser
import FerryCache
import FerryCore
import Foundation

/// `ferry cache clear`: forgets what is kept.
struct CacheClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Forget what is kept; nothing on the remotes changes.",
        discussion: """
            EXAMPLES
              ferry cache clear work:reports   of this, and of all below it
              ferry cache clear work:
              ferry cache clear --all
            """,
        aliases: ["rm"]
    )

    @Argument(help: .location("What to forget, with all below it."), completion: .file())
    var locations: [String] = []

    @Flag(help: "Forget everything.")
    var all = false

    func validate() throws {
        if locations.isEmpty != all { throw ValidationError("name what to forget, or give --all") }
    }

    func run() async throws {
        try await Session.run(.managing) { session in
            let cache = session.storages.cache
            if all {
                if cache.exists { try await forget(cache) { await $0.removeAll() } }
                return
            }
            try await session.forEach(locations) { location in
                let kept = try await session.storages.kept(ofRemote: location)
                if cache.exists { try await forget(cache) { _ in await kept.removeFolder(location.path) } }
            }
        }
    }

    private func forget(_ cache: RemoteCache, _ body: (CacheStore) async -> Void) async throws {
        let store = try await cache.store()
        await body(store)
        guard !store.hasForgotten() else { return }
        throw CocoaError.location(cache.folder, "what is kept there can't be removed", "see whose folder it is")
    }
}
