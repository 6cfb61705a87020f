import ArgumentParser
import FerryTransfer

/// Where to goes what would be lost.
struct BackupOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Move what is replaced or removed to a folder of the target.", valueName: "location"),
        completion: .directory
    )
    var backupDir: String?

    /// Puts it into a transfer's options.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - target: Where the copies go.
    ///   - session: Opens the folder.
    /// - Throws: `ValidationError` if the folder is on another storage; `CocoaError` if it is no folder.
    func apply(to options: inout TransferOptions, target: Location, _ session: Session) async throws {
        guard let backupDir else { return }
        let place = try await session.storages.location(backupDir)
        guard place.isOnSameStorage(as: target) else {
            throw ValidationError("--backup-dir must be on the target's storage, such as '\(target.prefix)old'")
        }
        await session.changes(place)
        options.backupFolder = try await place.folderOrNothing().path
    }
}
