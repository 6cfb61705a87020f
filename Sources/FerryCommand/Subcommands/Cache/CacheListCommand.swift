import ArgumentParser
import FerryCache
import FerryCore
import Foundation

/// `ferry cache list`: what is kept, one by one.
struct CacheListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what is kept.",
        discussion: """
            A line each: its size, when the remote last said so, what it is, and of what.
            No remote is asked.

            EXAMPLES
              ferry cache list
              ferry cache list work:reports
              ferry cache list --json | jq -r 'select(.kind == "contents").path'
            """,
        aliases: ["ls"]
    )

    @Argument(help: .location("Only what is kept of this, and of all below it."), completion: .file())
    var location: String?

    @Flag(help: "Print a JSON object a line, sizes in bytes.")
    var json = false

    func run() async throws {
        try await Session.run(.managing) { session in
            guard let location else {
                let names = try await session.storages.cachedPlaces()
                let cache = session.storages.cache
                guard cache.exists else { return }
                for await entry in try await cache.store().entries() { try write(entry, names, session) }
                return
            }
            try await session.forEach([location]) { location in
                let kept = try await session.storages.kept(ofRemote: location)
                guard session.storages.cache.exists else { return }
                for await entry in kept.entries(below: location.path) {
                    try write(entry, [kept.account: location.prefix], session)
                }
            }
        }
    }

    private func write(_ entry: CacheEntry, _ names: [CacheAccount: String], _ session: Session) throws {
        let sink = session.output
        if json {
            return try sink.writeObject { line in
                line.text("remote", names[entry.account].map { String($0.dropLast()) })
                line.text("url", entry.account.baseURL)
                line.text("user", entry.account.user.isEmpty ? nil : entry.account.user)
                line.text("path", entry.path.string)
                line.text("kind", entry.kind.word)
                line.text("variant", entry.variant.isEmpty ? nil : entry.variant)
                line.number("bytes", entry.bytes)
                line.flag("isWhole", entry.isWhole)
                line.text("eTag", entry.eTag)
                line.date("kept", entry.date)
            }
        }
        let size = Quantity.short(bytes: entry.bytes)
        sink.write(String(repeating: " ", count: max(0, 5 - size.utf8.count)) + size)
        sink.write("  " + ListingStyle.dateText(entry.date) + "  ")
        let word = entry.kind.word
        sink.write(word + String(repeating: " ", count: 12 - word.utf8.count))
        sink.write(name: (names[entry.account] ?? entry.account.place + " ") + entry.path.string)
        if !entry.variant.isEmpty { sink.write(name: "  " + entry.variant) }
        if !entry.isWhole { sink.write("  (in part)") }
        try sink.endLine()
    }
}

extension Storages {
    /// Returns what is kept of a remote.
    ///
    /// - Parameter location: Anything on it.
    /// - Returns: The part of the cache that is the remote's.
    /// - Throws: `CocoaError` if nothing is ever kept of it.
    func kept(ofRemote location: Location) async throws -> AccountCache {
        guard let account = account(of: location) else {
            throw CocoaError.location(location.text, "nothing is kept of what is no remote", "name a remote")
        }
        return try await cache.store().account(account)
    }
}
