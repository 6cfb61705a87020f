import FerryCore
import Foundation

/// Looks, before something of a plan is done, whether both sides still are what they were when it was made.
struct PlanGuard: Sendable {
    let source: TransferPlace
    let target: TransferPlace

    /// Looks.
    ///
    /// - Parameter action: What is to be done.
    /// - Throws: `CocoaError` that says what has changed; what the storages throw.
    func check(_ action: TransferAction) async throws {
        switch action.kind {
        case .skip, .refuse, .makeFolder: return
        case .add, .update, .setDates, .removeSource:
            if let item = action.source, action.reason != .emptied {
                try await require(item, at: item.path, of: source)
            }
            if action.kind != .add, let item = action.target {
                try await require(item, at: target.path(action.path), of: target)
            }
        case .rename:
            if let item = action.source { try await require(item, at: item.path, of: source) }
            if let item = action.target, let from = action.from {
                try await require(item, at: target.path(from), of: target)
            }
        case .remove:
            guard let item = action.target else { return }
            let path = target.path(action.path)
            try await require(item, at: path, of: target)
            guard item.isDirectory else { return }
            // Plans name what is in a folder one by one: what is still there came later, or stays.
            for try await page in target.storage.directoryListing(path: path) where !page.isEmpty {
                throw ItemIdentity.changed(path)
            }
        }
    }

    private func require(_ item: FileObject, at path: ItemPath, of place: TransferPlace) async throws {
        let current = try await place.storage.attributesOfItem(path: path)
        guard ItemIdentity.isSame(current, item) else { throw ItemIdentity.changed(path) }
    }
}
