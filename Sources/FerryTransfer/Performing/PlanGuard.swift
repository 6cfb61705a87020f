import FerryCore
import Foundation

/// Looks, before something of a plan is done, whether both sides still are what they were when it was made.
struct PlanGuard: Sendable {
    /// How long ago the plan was made.
    enum Age: Sendable {
        /// Just now: nothing has changed but by what was done since, or was not.
        case fresh
        /// Before: anything may have changed.
        case old
    }

    let source: TransferPlace
    let target: TransferPlace
    let age: Age

    /// Looks.
    ///
    /// - Parameter action: The action to be done.
    /// - Throws: `CocoaError` that says what has changed; what the storages throw.
    func check(_ action: TransferAction) async throws {
        if age == .old { try await requireItems(of: action) }
        guard action.kind == .remove, action.target?.isDirectory == true else { return }
        // Plans name what is in a folder one by one: what is still there came later, or stays.
        let path = target.path(action.path)
        guard target.storage.capabilities.listsDotNames else {
            throw CocoaError.file(.fileWriteUnknown, path: path, description: "it may not be empty")
        }
        for try await page in target.storage.directoryListing(path: path) where !page.isEmpty {
            throw ItemIdentity.changed(path)
        }
    }

    private func requireItems(of action: TransferAction) async throws {
        if action.kind == .skip || action.kind == .refuse { return }
        try await requireFolders(above: target.path(action.path), of: target)
        if let from = action.from { try await requireFolders(above: target.path(from), of: target) }
        if let item = action.source { try await requireFolders(above: item.path, of: source) }
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
            if let item = action.target { try await require(item, at: target.path(action.path), of: target) }
        }
    }

    /// A folder that has become a link leads elsewhere: whatever is there is not what was planned.
    private func requireFolders(above path: ItemPath, of place: TransferPlace) async throws {
        guard place.storage is any FileProviderSymbolicLink else { return }
        var folder = path
        while folder != place.top, folder.parent != place.top, !folder.isRoot {
            folder = folder.parent
            let item = try await place.storage.attributesOfItem(path: folder)
            guard item.isDirectory else { throw ItemIdentity.changed(folder) }
        }
    }

    private func require(_ item: FileObject, at path: ItemPath, of place: TransferPlace) async throws {
        let current = try await place.storage.attributesOfItem(path: path)
        guard ItemIdentity.isSame(current, item) else { throw ItemIdentity.changed(path) }
    }
}
