import FerryCore
import Foundation

// Items that a person puts into the trash of a storage.

extension UndoRecorder {
    /// Items of a folder that are written down one by one, at most.
    private static let mostItems = 10_000

    /// Puts an item into the trash.
    ///
    /// - Parameters:
    ///   - item: The item, a folder with all below it.
    ///   - trash: The storage.
    ///   - body: Puts it there.
    /// - Returns: The item in the trash.
    /// - Throws: Any error that the body throws.
    func trash(
        _ item: FileObject,
        in trash: any FileProviderTrash,
        _ body: () async throws -> TrashedItem
    ) async throws -> TrashedItem {
        let (path, stamp) = (item.path, ItemStamp(item))
        let below = try await versions(below: item, in: trash)
        let versions: [UndoStep]? = if case .steps(let steps) = below { steps } else { nil }
        let kept = versions == nil ? try await unlisted(item, in: trash) : nil
        return try await record(
            .remove(path: path),
            intended: versions ?? [.removed(path, stamp, kept)],
            body,
            finish: { [storage] trashed in
                guard let trashed else {
                    // Only the answer may have been lost.
                    guard try await storage.look(path) == nil else { return [] }
                    return versions ?? kept.map { [.removed(path, stamp, $0)] } ?? []
                }
                if let versions { return versions }
                if try await trash.canRestore(trashed) { return [.removed(path, stamp, .trash(trashed.id))] }
                if case .notKept(let reason) = below { return [.lost(path, reason)] }
                return [.lost(path, "its service takes it out of the trash only in a browser")]
            }
        )
    }

    /// Returns where an item will be in a trash that can't be listed: there it has the identifier of the item itself.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - trash: The storage.
    /// - Returns: `nil` if it can't be restored, or is found by listing the trash.
    /// - Throws: Errors of asking the storage.
    private func unlisted(_ item: FileObject, in trash: any FileProviderTrash) async throws -> KeptItem? {
        guard !trash.capabilities.listsTrash, let id = item.id else { return nil }
        let isRestorable = try await trash.canRestore(TrashedItem(id: id, item: item, deletionDate: nil))
        return isRestorable ? .trash(id) : nil
    }

    /// The versions that a removed folder's files come back from.
    private enum Versions {
        /// The steps that take the folder and all below it away, in the order of removing.
        case steps([UndoStep])
        /// The reason why it can't come back.
        case notKept(String)
    }

    /// Returns the steps that take a folder and all below it away, where its files outlive it as versions and the trash
    /// does not give back the folder itself.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - trash: The storage.
    /// - Returns: The steps, or the reason why there are none; `nil` for anything that this is not needed for.
    /// - Throws: The error that keeps a folder from being listed.
    private func versions(below item: FileObject, in trash: any FileProviderTrash) async throws -> Versions? {
        let capabilities = trash.capabilities
        guard item.isDirectory, capabilities.versionsOutliveFiles, !capabilities.restoresTrashedFolders,
            storage.base is any FileProviderVersioning
        else { return nil }
        var items = [item]
        for try await element in TreeWalk(storage.base, path: item.path) {
            switch element {
            case .page(let page, folder: _): items += page
            case .failure(let error, folder: _): throw error
            }
            guard items.count <= Self.mostItems else {
                return .notKept("it is more than \(Self.mostItems) items, which can only be restored one by one")
            }
        }
        var steps: [UndoStep] = []
        for item in items.sorted(by: { $0.path > $1.path }) {
            if item.isDirectory {
                steps.append(.unmade(folder: item.path, ItemStamp(item)))
            } else {
                let stamp = ItemStamp(item)
                guard let version = storage.lastVersion(of: stamp) else {
                    return .notKept("no version of \(item.path.string) is known")
                }
                steps.append(.removed(item.path, stamp, .version(version)))
            }
        }
        return .steps(steps)
    }
}
