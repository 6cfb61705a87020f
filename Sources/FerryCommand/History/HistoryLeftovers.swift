import FerryCore
import FerryTransfer

/// What a command that was killed had half written: it has hidden names, beside what was to be written.
struct HistoryLeftovers {
    private var folders: [String: Set<ItemPath>] = [:]

    /// Finds out where something may be.
    ///
    /// - Parameter entries: What was done. Of what came to its end nothing is left.
    init(_ entries: [HistoryEntry]) {
        for entry in entries where !entry.entry.isComplete {
            folders[entry.prefix, default: []].formUnion(entry.entry.steps.map(\.path.parent))
        }
    }

    /// Removes what processes have left that are gone; what can't be seen or removed is in nobody's way.
    ///
    /// On this machine only, where looking costs nothing: what was under way to a server goes with the next run of the same
    /// job, or with the next transfer that looks into the folder.
    ///
    /// - Parameter keeper: Opens storages.
    func remove(_ keeper: HistoryKeeper) async {
        for (prefix, folders) in folders {
            guard let storage = try? await keeper.storage(prefix).location.storage.unrecorded as? any Storage,
                !(storage is any FileProviderBasicRemote)
            else { continue }
            for folder in folders {
                let items = (try? await storage.contentsOfDirectory(path: folder)) ?? []
                for item in items
                where item.isRegularFile && UnfinishedName.isOne(item.name) && UnfinishedName.wasLeftBehind(item.name) {
                    try? await storage.removeItem(path: item.path)
                }
            }
        }
    }
}
