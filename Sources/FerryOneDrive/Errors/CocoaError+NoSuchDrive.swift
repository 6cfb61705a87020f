import FerryCore
import Foundation

extension CocoaError {
    /// The service does not know the drive of the account, or the folder that paths begin at.
    ///
    /// It is no absence of an item: nothing can be made there.
    ///
    /// - Parameters:
    ///   - drive: The drive that the options name; `nil` where the error itself says only that the top is missing.
    ///   - error: The service's refusal.
    /// - Returns: An error that names the option.
    static func noSuchDrive(_ drive: OneDriveDrive? = nil, underlying error: OneDriveError) -> CocoaError {
        let (thing, option) =
            switch drive {
            case .id(let id): ("drive '\(id)'", "the option drive")
            case .user(let user): ("drive of a user '\(user)'", "the option user")
            case .site(let site): ("site '\(site)'", "the option site")
            case .me, nil: ("drive", "the options drive, user, site and root-folder")
            }
        return .file(
            .fileReadUnknown,
            path: .root,
            description: "the service knows no such \(thing), or this login may not see it",
            suggestion: "check \(option) of the remote",
            underlying: error
        )
    }
}
