import FerryCore
import FerryTransfer
import FerryUndo

/// The items that a killed command had half written: they have hidden names, beside those that were to be written.
struct HistoryLeftovers {
    private var folders: [String: Set<ItemPath>] = [:]

    /// Finds out where something may be.
    ///
    /// - Parameter entries: The operations; those that came to their end have left nothing behind.
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
            guard let storage = try? await keeper.storage(prefix).location.storage.withoutRecording,
                !storage.isRemote
            else { continue }
            for folder in folders {
                let items = (try? await storage.contentsOfDirectory(path: folder)) ?? []
                for item in items
                where item.isRegularFile && TemporaryName.isOne(item.name) && UnfinishedName.wasLeftBehind(item.name) {
                    try? await storage.removeItem(path: item.path)
                }
            }
        }
    }
}
