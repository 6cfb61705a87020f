import FerryCore
import Foundation

/// Keeps what would be overwritten or removed, in a folder of the target.
struct BackupKeeper: Sendable {
    let target: TransferPlace

    /// The folder, from the target's root.
    let folder: ItemPath

    /// The suffix that is added to names.
    private let suffix: String

    /// Makes one.
    ///
    /// - Parameter transfer: The transfer whose options name the folder; `nil` if nothing is to be kept.
    init?(_ transfer: Transfer) {
        guard let folder = transfer.options.backupFolder else { return nil }
        target = transfer.target
        self.folder = folder
        suffix = transfer.options.backupSuffix
    }

    /// Keeps what will be overwritten; a copy, so that something is there at every moment.
    ///
    /// Soon there is no other: so it is looked at where a storage at the other end of a line has made it.
    ///
    /// - Parameters:
    ///   - path: Where it is, from the top of the transfer.
    ///   - item: The item.
    /// - Throws: Any error that the storage throws; `CocoaError.fileWriteUnknown` if the copy isn't there.
    func keep(_ path: ItemPath, _ item: FileObject) async throws {
        let place = try await place(for: path)
        try await target.storage.copyItem(path: target.path(path), to: place, overwrite: true)
        if target.isNear { return }
        guard let copy = try await target.storage.attributesIfExists(path: place) else {
            throw DamagedCopyError(path: place).told
        }
        guard copy.type == item.type, UnseenCopy(length: item.isRegularFile ? item.size : nil).agrees(with: copy) else {
            throw CocoaError.otherCopy(place, sent: item.size, found: copy)
        }
    }

    /// Moves something out of the way.
    ///
    /// - Parameter path: Where it is, from the top of the transfer.
    /// - Throws: Any error that the storage throws.
    func setAside(_ path: ItemPath) async throws {
        let place = try await place(for: path)
        try await target.storage.moveItem(path: target.path(path), to: place, overwrite: true)
    }

    /// Where something is kept, in folders that are made if need be.
    ///
    /// - Parameter path: Where it is, from the top of the transfer; the root for a single file, which keeps its name.
    /// - Returns: Its path in the backup folder.
    /// - Throws: Any error that the storage throws.
    private func place(for path: ItemPath) async throws -> ItemPath {
        let plain = path.isRoot ? folder.appending(target.top.lastName) : folder.appending(path: path)
        let parent = plain.parent
        let place = suffix.isEmpty ? plain : parent.appending(plain.lastName + suffix)
        if !parent.isRoot {
            try await target.storage.create(folder: parent.lastName, at: parent.parent, creatingParents: true)
        }
        return place
    }
}
