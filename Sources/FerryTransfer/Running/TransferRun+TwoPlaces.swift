import FerryCore
import Foundation

extension TransferRun {
    /// Makes sure that nothing is moved onto itself: a server has as many names as somebody gives it, and an original
    /// would be removed that is its own copy.
    ///
    /// Where that can't be ruled out by what both sides are called, a folder is made at the source for a moment, and looked
    /// for at the target.
    ///
    /// - Parameter isFolder: `true` if the source's top is a folder.
    /// - Throws: `CocoaError` if both places are one; what keeps it from being found out.
    func requireTwoPlaces(isFolder: Bool) async throws {
        let (source, target) = (transfer.source, transfer.target)
        guard isExecuting, source.isAway, target.isAway, !source.isOnStorage(of: target) else { return }
        let hasOneName = source.top.lastName.lowercased() == target.top.lastName.lowercased()
        guard isFolder || hasOneName else { return }
        let (from, to) = isFolder ? (source.top, target.top) : (source.top.parent, target.top.parent)
        let name = TemporaryName.make()
        // Nobody wants to take it back.
        let storage = source.storage.withoutRecording
        guard try await make(name, in: from, on: storage) else { return }
        let seen: Result<FileObject?, any Error>
        do {
            seen = .success(try await existing(TransferPlace(target.storage, to.appending(name))))
        } catch {
            seen = .failure(error)
        }
        // A client that can't remove this could remove no original either.
        try await uncancelled { try await remove(from.appending(name), on: storage) }
        if try seen.get() != nil { throw CocoaError.sameItem(source.top) }
    }

    /// Makes a folder; `false` where nothing can be made, and so nothing removed either.
    private func make(_ name: String, in folder: ItemPath, on storage: any TransferPlace.Storage) async throws -> Bool {
        do {
            try await retryState.retrying { try await storage.create(folder: name, at: folder) }
            return true
        } catch let error as CocoaError {
            switch error.code {
            // An earlier try has made it, and its answer got lost.
            case .fileWriteFileExists: return true
            case .fileWriteNoPermission, .fileWriteVolumeReadOnly, .featureUnsupported: return false
            default: throw error
            }
        }
    }

    private func remove(_ path: ItemPath, on storage: any TransferPlace.Storage) async throws {
        do {
            try await retryState.retrying { try await storage.removeItem(path: path) }
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // An earlier try has removed it.
        }
    }
}
