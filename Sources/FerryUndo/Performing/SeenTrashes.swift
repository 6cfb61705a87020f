import FerryCore
import Synchronization

/// The contents of storages' trashes, each listed once while one group is taken back.
final class SeenTrashes: Sendable {
    private let seen = Mutex<[(storage: any FileProviderBasic, items: [TrashedItem])]>([])

    /// Returns what is in a trash: what was put in since it was listed is missing, and what was taken out is still
    /// there.
    func items(of trash: any FileProviderTrash) async throws -> [TrashedItem] {
        if let known = seen.withLock({ $0.first { $0.storage == trash } }) { return known.items }
        let items = try await trash.trashedItems()
        seen.withLock { $0.append((trash, items)) }
        return items
    }
}
