import FerryCore
import Foundation

/// Removes originals whose copies are complete.
struct SourceRemover: Sendable {
    let source: TransferPlace

    /// Removes a file or link, if it is still what was copied.
    ///
    /// - Parameter item: The original, as it was listed.
    /// - Throws: `CocoaError` if it has changed; what the storage throws.
    func remove(_ item: FileObject) async throws {
        do {
            let current = try await source.storage.attributesOfItem(path: item.path)
            guard ItemIdentity.isSame(current, item) else { throw ItemIdentity.changed(item.path) }
            try await OperationContext.with(\.seenItems, SeenItems([current], date: Date())) {
                try await source.storage.removeItem(path: item.path)
            }
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        }
    }

    /// Removes a folder, if nothing is in it; one that may hide what is in it stays.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The result of the removal.
    /// - Throws: Any error that the storage throws.
    func removeIfEmpty(_ path: ItemPath) async throws -> FolderRemoval {
        do {
            // As the storage itself lists it now, whatever is kept of it.
            for try await page in source.storage.withoutWrappers.directoryListing(path: path) where !page.isEmpty {
                return .notEmpty
            }
            guard source.storage.capabilities.listsDotNames else { return .uncertain }
            try await source.storage.removeItem(path: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return .done
        }
        return .done
    }

    /// The result of removing a folder that was to go if it is empty.
    enum FolderRemoval: Sendable {
        /// It is gone.
        case done
        /// Something is in it.
        case notEmpty
        /// It looks empty, and the storage may hide what is in it.
        case uncertain
    }
}
