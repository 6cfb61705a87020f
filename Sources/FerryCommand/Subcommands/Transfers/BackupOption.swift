import ArgumentParser
import FerryCore
import FerryTransfer
import Foundation

/// Where to goes what would be lost.
struct BackupOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Move what is replaced or removed to a folder of the target.", valueName: "location"),
        completion: .directory
    )
    var backupDir: String?

    @Option(
        help: ArgumentHelp("Add this to the names of what is moved to --backup-dir.", valueName: "text")
    )
    var backupSuffix: String?

    func validate() throws {
        if backupSuffix != nil, backupDir == nil { throw ValidationError("--backup-suffix wants --backup-dir") }
        if backupSuffix?.contains("/") == true { throw ValidationError("--backup-suffix can't have a '/'") }
    }

    /// Puts it into a transfer's options.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - target: Where the copies go.
    ///   - session: Opens the folder.
    /// - Throws: `ValidationError` if the folder is on another storage; `CocoaError` if it is no folder.
    func apply(to options: inout TransferOptions, target: Location, _ session: Session) async throws {
        guard let backupDir else { return }
        let place = try await session.storages.location(Self.dated(backupDir))
        guard place.isOnSameStorage(as: target) else {
            throw ValidationError("--backup-dir must be on the target's storage, such as '\(target.prefix)old'")
        }
        await session.changes(place)
        options.backupFolder = try await place.folderOrNothing().path
        options.backupSuffix = backupSuffix.map { Self.dated($0) } ?? ""
    }

    /// The text with the day in place of `{date}` and the time of day in place of `{time}`, both of UTC.
    ///
    /// - Parameters:
    ///   - text: A location, or a part of a name.
    ///   - now: The present moment.
    /// - Returns: Such as `old/2026-11-26` for `old/{date}`.
    static func dated(_ text: String, now: Date = Date()) -> String {
        guard text.contains("{date}") || text.contains("{time}"), let words = now.rounded(to: .seconds(1)).iso8601
        else { return text }
        let sides = words.dropLast().split(separator: "T")
        guard sides.count == 2 else { return text }
        return text.replacing("{date}", with: sides[0]).replacing("{time}", with: sides[1].replacing(":", with: ""))
    }
}
