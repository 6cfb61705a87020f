import ArgumentParser
import FerryCache
import FerryCore
import Foundation

/// Prints in how many seconds a full store keeps something, for which a thousand entries have to go.
struct EvictionSpeed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eviction-speed",
        abstract: "Seconds for keeping one entry in a store that has to forget a thousand others for it."
    )

    /// How many entries have to go.
    private static let evicted = 1000

    @Argument(help: "A folder to make for the store.")
    var folder: String

    @Argument(help: "How many entries it has.")
    var count: Int

    func run() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = FilledStore(folder: folder)
        try await store.fill(count: count)
        let bytes = await CacheStore(at: URL(filePath: folder)).usage().diskBytes
        let rest = bytes * Int64(count - Self.evicted) / Int64(count)
        let files = store.files(limits: CacheLimits(diskBytes: rest))
        // The opening of the store doesn't count.
        _ = await files.kept.store.usage()
        let clock = ContinuousClock()
        let start = clock.now
        _ = try await files.attributesOfItem(path: store.storage.items[1].path)
        let duration = clock.now - start
        let left = await files.kept.store.usage().parts.reduce(0) { $0 + $1.count }
        let gone = count + 1 - left
        guard (Self.evicted...Self.evicted + 10).contains(gone) else {
            throw ValidationError("\(gone) entries have gone")
        }
        print(duration / .seconds(1))
    }
}
