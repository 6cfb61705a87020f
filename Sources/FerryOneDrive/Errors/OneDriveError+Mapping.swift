package import FerryCore
import FerryHTTP
import Foundation

extension OneDriveError: APIRefusal {
    /// Returns the error that callers see, with this one inside.
    ///
    /// - Parameters:
    ///   - isWriting: A Boolean value that indicates whether something was to be changed.
    ///   - target: The path where something was to be put; `nil` for the item that the request was about.
    /// - Returns: An error of the project's table; this error where the table has none.
    package func mapped(whileWriting isWriting: Bool = false, target: ItemPath? = nil) -> any Error {
        let place = target ?? path
        switch reason {
        case .exists: return CocoaError.itemExists(place, underlying: self)
        case .changed: return PreconditionFailedError(path: place, serverDescription: serverDescription)
        case .readOnly: return CocoaError.file(.fileWriteVolumeReadOnly, path: place, underlying: self)
        case .badName:
            let excess = OneDriveName.excess(of: place)
            return CocoaError.file(
                isWriting ? .fileWriteInvalidFileName : .fileReadInvalidFileName,
                path: place,
                description: excess,
                suggestion: excess.map { _ in "choose shorter names" },
                underlying: self
            )
        case .noSuchItem where path.isRoot && target == nil:
            // Each drive has a top: without one there is no drive.
            return CocoaError.noSuchDrive(underlying: self)
        case .notAllowed:
            // One code stands for an item of somebody else's and for an app that may only read.
            return CocoaError.file(
                isWriting ? .fileWriteNoPermission : .fileReadNoPermission,
                path: path,
                suggestion: "check its permissions, and those that the login gave to the app"
                    + " (\(isWriting ? "Files.ReadWrite.All" : "Files.Read.All"))",
                underlying: self
            )
        case .harmful:
            return CocoaError.file(
                isWriting ? .fileWriteNoPermission : .fileReadNoPermission,
                path: place,
                description: "the service has found malware in it",
                underlying: self
            )
        case .reset:
            return URLError.answer(
                .resourceUnavailable,
                about: place,
                description: "the service wants the list of changes to be read from its beginning",
                underlying: self
            )
        case .status where answeredStatusCode == 404 || answeredStatusCode == 410:
            // A gateway, or a host of contents, is no witness for an item that is gone.
            return URLError.answer(
                .badServerResponse,
                about: place,
                description: "the server does not know the address",
                underlying: self
            )
        case .noSuchItem, .locked, .full, .tooLarge, .unsupported, .busy, .unavailable, .sessionGone,
            .wrongRange, .status:
            return mappedByStatus(whileWriting: isWriting)
        }
    }

    /// A Boolean value that indicates whether the service has failed, and may have done what was asked.
    package var isTransient: Bool { answeredStatusCode >= 500 && (reason == .status || reason == .unavailable) }
}

extension Error {
    /// A Boolean value that indicates whether an error says that there is no such item.
    var isNoSuchItem: Bool {
        (self as? CocoaError)?.code == .fileNoSuchFile || (self as? OneDriveError)?.reason == .noSuchItem
    }
}

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
