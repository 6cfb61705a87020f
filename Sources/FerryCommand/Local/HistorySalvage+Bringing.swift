import FerryCore
import FerryLocal
import FerryTransfer
import FerryUndo
import Foundation

extension HistorySalvage {
    /// Brings an item to a folder of this machine; on a server it stays, too.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - folder: The folder.
    /// - Throws: The error that keeps it from being read or written.
    func bring(_ item: Item, to folder: Location) async throws {
        let target = folder.path.appending(item.name)
        guard let files = folder.localFiles else { return }
        switch item.kept {
        case .shadow(let id):
            let (chunks, length) = try await session.storages.shadow.contents(id)
            let options = WriteOptions(overwrite: false)
            _ = try await files.writeStream(path: target, contents: chunks, length: length, options: options)
        case .aside(let id) where item.prefix.isEmpty: try await files.bringBack(id, to: target, overwrite: false)
        case .aside(let id):
            let (_, location) = try await keeper.storage(item.prefix)
            let storage = location.storage.withoutRecording
            let transfer = try FerryTransfer.Transfer(
                from: TransferPlace(storage, UndoStorage.asidePath(id)),
                to: TransferPlace(files, target)
            )
            let report = try await transfer.run()
            if let failure = report.failures.first { throw failure.error }
        case .version, .soughtVersion, .trash, .soughtTrash, .link, .emptyFolder, .emptyFile, .original: return
        }
    }
}
