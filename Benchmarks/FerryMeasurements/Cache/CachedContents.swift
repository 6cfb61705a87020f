import ArgumentParser
import FerryCache
import FerryCore
import FerryLocal
import Foundation

/// Prints in how many seconds a file of this machine is read through the cache.
struct CachedContents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cached-contents",
        abstract: "Seconds for reading a file: without the cache, through it for the first time, or again."
    )

    /// The aspect that is measured.
    enum Aspect: String, ExpressibleByArgument, CaseIterable {
        /// Without a cache.
        case uncached

        /// With an empty cache, until all is kept.
        case first

        /// With all kept by another store, after asking whether it is still the same.
        case again
    }

    @Argument(help: "uncached, first or again.")
    var aspect: Aspect

    @Argument(help: "The file.")
    var file: String

    @Argument(help: "A folder to make for the store.")
    var folder: String

    func run() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let url = URL(filePath: file)
        let storage = LocalFileProvider(baseURL: url.deletingLastPathComponent())
        let path = ItemPath.root.appending(url.lastPathComponent)
        switch aspect {
        case .uncached:
            print(try await seconds(storage, path))
        case .first:
            print(try await seconds(CachedFileProvider(storage, store: CacheStore(at: URL(filePath: folder))), path))
        case .again:
            _ = try await seconds(CachedFileProvider(storage, store: CacheStore(at: URL(filePath: folder))), path)
            print(try await seconds(CachedFileProvider(storage, store: CacheStore(at: URL(filePath: folder))), path))
        }
    }

    private func seconds(_ files: some FileProviderReadWriteProgressive, _ path: ItemPath) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let progress = Progress(totalUnitCount: 0)
        for try await _ in try await files.contentStream(path: path, range: .all, reporting: progress) {}
        let duration = clock.now - start
        let size = try await files.attributesOfItem(path: path).size
        guard progress.completedUnitCount == size else { throw ValidationError("not all bytes were read") }
        return duration / .seconds(1)
    }
}
