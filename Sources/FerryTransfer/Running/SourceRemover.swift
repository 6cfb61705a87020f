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
            try await SeenItems.with(SeenItems([current], date: Date())) {
                try await source.storage.removeItem(path: item.path)
            }
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        }
    }

    /// Removes a folder, if nothing is in it; one that may hide what is in it stays.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Whether it is gone.
    /// - Throws: What the storage throws.
    func removeIfEmpty(_ path: ItemPath) async throws -> Bool {
        guard source.storage.capabilities.listsDotNames else { return false }
        do {
            for try await page in source.storage.directoryListing(path: path) where !page.isEmpty { return false }
            try await source.storage.removeItem(path: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return true
        }
        return true
    }
}
