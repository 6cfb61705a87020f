package import FerryCore
import FerryHTTP
import Foundation

extension DropboxError: APIRefusal {
    /// The meaning of the tags.
    var reason: DropboxReason { DropboxReason(tags: tags, status: answeredStatusCode) }

    /// A Boolean value that indicates whether the server has failed, and may have done what was asked.
    package var isTransient: Bool { answeredStatusCode >= 500 }

    /// Returns the error that callers see, with this one inside.
    ///
    /// - Parameters:
    ///   - isWriting: A Boolean value that indicates whether something was to be changed.
    ///   - target: Where something was to be put; `nil` for the item that the request was about.
    /// - Returns: An error of the project's table; this error where the table has none.
    package func mapped(whileWriting isWriting: Bool = false, target: ItemPath? = nil) -> any Error {
        let place = target ?? path
        switch reason {
        case .exists: return CocoaError.itemExists(place, underlying: self)
        case .fileAbove: return CocoaError.notAFolder(place.parent, whileWriting: true)
        case .notAFile: return CocoaError.isAFolder(path)
        case .notAFolder: return CocoaError.notAFolder(path, whileWriting: isWriting)
        case .badName:
            let excess = DropboxPath.excess(of: place)
            return CocoaError.file(
                isWriting ? .fileWriteInvalidFileName : .fileReadInvalidFileName,
                path: place,
                description: tags.contains("disallowed_name")
                    ? "Dropbox keeps names such as this one for itself" : excess,
                suggestion: excess == nil ? "choose another name" : "choose a shorter one",
                underlying: self
            )
        case .wrongRoot:
            return CocoaError.file(
                isWriting ? .fileWriteNoPermission : .fileReadNoPermission,
                path: place,
                description: "this account has no space of the number that the remote's option path-root names",
                suggestion: "set path-root to home, to team, or to the number of a folder that is shared with it",
                underlying: self
            )
        case .intoItself: return CocoaError.intoItself(path, target: place)
        case .damaged:
            let words = "what arrived is not what was sent"
            return URLError.otherContent(about: place, description: words, underlying: self)
        case .missingPermission:
            let scope = details["required_scope"].string.map { " '\($0)'" } ?? ""
            return CocoaError.file(
                isWriting ? .fileWriteNoPermission : .fileReadNoPermission,
                path: place,
                description: "the app was not given the permission\(scope)",
                suggestion: "tick it on the app's page at Dropbox, and log in again",
                underlying: self
            )
        case .noSuchItem, .notAllowed, .locked, .full, .busy, .reset, .tooLarge, .unsupported, .failed, .status:
            return mappedByStatus(whileWriting: isWriting)
        }
    }
}

extension Error {
    /// Dropbox's refusal that an error was made of, or that the error is.
    var refusalByDropbox: DropboxError? { serverAnswer as? DropboxError }

    /// A Boolean value that indicates whether an error says that there is no such item.
    var isNoSuchItem: Bool { (self as? CocoaError)?.code == .fileNoSuchFile }
}
