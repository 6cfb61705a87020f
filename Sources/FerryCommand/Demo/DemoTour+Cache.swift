import FerryCache
import FerryCore
import Foundation

extension DemoTour {
    /// Lists a folder on the server, and once more from what was kept of it.
    func listTwice(_ server: DemoServer, _ work: ItemPath) async throws {
        let folder: ItemPath = "/Photos/2025"
        let address = server.url.absoluteString + folder.string.dropFirst()
        try title(
            "List a folder there, and once more without asking",
            "ferry ls \(address) ; ferry ls --offline \(address)"
        )
        let place = URL(filePath: work.appending("cache").string)
        let asking = CachedFileProvider(server.files, store: CacheStore(at: place), options: .doNotReturnCachedResult)
        let (told, asked) = try await timed { try await asking.contentsOfDirectory(path: folder) }
        try done("\(Quantity.count(told.count, "item")) from the server", asked)
        // As another run would: what it shows comes from the disk.
        let offline = CachedFileProvider(server.files, store: CacheStore(at: place), options: .onlyIfCached)
        let (kept, looked) = try await timed { try await offline.contentsOfDirectory(path: folder) }
        guard kept == told else { throw CocoaError(.fileReadUnknown) }
        try done("the same \(Quantity.count(kept.count, "item")) from the cache", looked)
    }
}
