import ArgumentParser
import FerryCache

/// `ferry cache info`: how much is kept.
struct CacheInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show where it is, and how much is kept of what.",
        discussion: """
            Contents that several files have are there once; in the table they count for
            each of them.

            EXAMPLES
              ferry cache info
              ferry cache info --json | jq .bytes
            """
    )

    @Flag(help: "Print a JSON object, sizes in bytes.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            let cache = session.storages.cache
            let store = try await cache.store()
            // Looking makes no folder.
            let usage = cache.exists ? await store.usage() : nil
            let names = try await session.storages.cachedPlaces()
            let facts = CacheFacts(folder: cache.folder, limit: store.limits.diskBytes, usage: usage, names: names)
            if json { try facts.writeJSON(to: session.output) } else { try facts.write(to: session) }
        }
    }
}

/// The facts that are shown of the cache as a whole.
private struct CacheFacts {
    let folder: String
    let limit: Int64
    let usage: CacheUsage?
    let names: [CacheAccount: String]

    private var bytes: Int64 { usage?.diskBytes ?? 0 }
    private var parts: [CacheUsage.Part] { usage?.parts ?? [] }

    func write(to session: Session) throws {
        let sink = session.output
        var facts = [
            ("folder", folder), ("limit", limit == 0 ? "nothing is kept" : Quantity.words(bytes: limit)),
            ("kept", Quantity.words(bytes: bytes)),
        ]
        if let usage, !usage.isOnDisk { facts.append(("note", "the folder can't be used: nothing is kept")) }
        try FactLines(facts).write(to: sink, styling: session.styling)
        for (index, part) in parts.enumerated() {
            if index == 0 { try sink.endLine() }
            let columns = [Quantity.grouped(part.count), Quantity.short(bytes: part.bytes)]
            sink.write(columns.map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 }.joined() + "  ")
            sink.write(part.kind.words + String(repeating: " ", count: 12 - part.kind.words.count))
            sink.write(name: names[part.account] ?? part.account.place)
            try sink.endLine()
        }
    }

    func writeJSON(to sink: ByteSink) throws {
        try sink.writeObject { line in
            line.text("folder", folder)
            line.number("limit", limit)
            line.number("bytes", bytes)
            line.objects("parts", parts) { part, line in
                line.text("remote", names[part.account].map { String($0.dropLast()) })
                line.text("url", part.account.baseURL)
                line.text("user", part.account.user.isEmpty ? nil : part.account.user)
                line.text("kind", part.kind.word)
                line.number("count", Int64(part.count))
                line.number("bytes", part.bytes)
            }
        }
    }
}

extension CacheKind {
    /// The word for one of them, in JSON and in lists.
    var word: String {
        switch self {
        case .listing: "listing"
        case .attributes: "attributes"
        case .contents: "contents"
        case .thumbnail: "thumbnail"
        case .metadata: "metadata"
        case .quota: "quota"
        }
    }

    /// The word for several of them.
    fileprivate var words: String {
        switch self {
        case .listing: "listings"
        case .thumbnail: "thumbnails"
        case .attributes, .contents, .metadata, .quota: word
        }
    }
}
