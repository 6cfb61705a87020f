import ArgumentParser
import FerryCache
import FerryCore

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
                if cache.exists { try await cache.store().removeAll() }
                return
            }
            try await session.forEach(locations) { location in
                let kept = try await session.storages.kept(ofRemote: location)
                if cache.exists { await kept.removeFolder(location.path) }
            }
        }
    }
}
