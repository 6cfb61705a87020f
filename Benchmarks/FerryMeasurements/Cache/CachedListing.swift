import ArgumentParser
import FerryCache
import FerryCore
import Foundation

/// Prints what a kept listing of one folder costs.
struct CachedListing: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cached-listing",
        abstract: "Seconds for a kept listing, or its bytes on the disk for each item."
    )

    /// The aspect that is measured.
    enum Aspect: String, ExpressibleByArgument, CaseIterable {
        /// Seconds for the first answer of a new store, its opening included.
        case disk

        /// Seconds for an answer after that.
        case memory

        /// Bytes on the disk for each item, when only this is kept.
        case bytes
    }

    @Argument(help: "disk, memory or bytes.")
    var aspect: Aspect

    @Argument(help: "A folder to make for the store.")
    var folder: String

    @Argument(help: "How many items.")
    var count: Int

    func run() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = SampleFileProvider(items: SampleItems.remote.items(count: count, in: .root))
        _ = try await CachedFileProvider(storage, store: CacheStore(at: URL(filePath: folder))).contentsOfDirectory(
            path: .root
        )
        let files = CachedFileProvider(storage, store: CacheStore(at: URL(filePath: folder)), options: .onlyIfCached)
        switch aspect {
        case .bytes:
            print(Double(try DiskUse.bytes(below: folder)) / Double(count))
        case .disk:
            print(try await seconds(files))
        case .memory:
            _ = try await seconds(files)
            var times: [Double] = []
            for _ in 0..<11 { times.append(try await seconds(files)) }
            print(times.sorted()[times.count / 2])
        }
    }

    private func seconds(_ files: CachedFileProvider<SampleFileProvider>) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let items = try await files.contentsOfDirectory(path: .root)
        let duration = clock.now - start
        guard items.count == count else { throw ValidationError("\(items.count) of \(count) items are kept") }
        return duration / .seconds(1)
    }
}
