import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension DropboxError {
    /// The meaning of the tags.
    var reason: DropboxReason { DropboxReason(tags: tags, status: answeredStatusCode) }

    /// Returns the error that callers see, with this one inside.
    ///
    /// - Parameters:
    ///   - isWriting: A Boolean value that indicates whether something was to be changed.
    ///   - target: Where something was to be put; `nil` for the item that the request was about.
    /// - Returns: An error of the project's table; this error where the table has none.
    func mapped(whileWriting isWriting: Bool = false, target: ItemPath? = nil) -> any Error {
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
            let plain = HTTPServerError(
                HTTPResponse.Status(code: statusCode),
                path: path,
                serverDescription: serverDescription,
                retryAfter: retryAfter
            )
            return switch plain.mapped(whileWriting: isWriting) {
            case let error as CocoaError:
                CocoaError(error.code, userInfo: error.userInfo.merging([NSUnderlyingErrorKey: self]) { $1 })
            case let error as URLError:
                URLError(error.code, userInfo: error.userInfo.merging([NSUnderlyingErrorKey: self]) { $1 })
            default: self
            }
        }
    }
}

extension Error {
    /// Dropbox's refusal that an error was made of, or that the error is.
    var refusalByDropbox: DropboxError? { serverAnswer as? DropboxError }

    /// A Boolean value that indicates whether an error says that there is no such item.
    var isNoSuchItem: Bool { (self as? CocoaError)?.code == .fileNoSuchFile }

    /// A Boolean value that indicates whether the request may have been carried out, though no answer came.
    var mayHaveBeenDone: Bool {
        if let refusal = self as? DropboxError { return refusal.isTransient }
        guard let error = self as? URLError else { return false }
        return switch error.code {
        case .networkConnectionLost, .timedOut, .badServerResponse: true
        default: false
        }
    }
}

/// Returns what a body returns; refusals by Dropbox become the errors of the table.
///
/// - Parameters:
///   - isWriting: A Boolean value that indicates whether something is to be changed.
///   - target: Where something is to be put.
///   - isolation: The caller's isolation.
///   - body: The work.
/// - Returns: The result of the body.
/// - Throws: The error of the table; what the body throws else.
func mappingRefusals<Value>(
    whileWriting isWriting: Bool = false,
    target: ItemPath? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Value
) async throws -> Value {
    do {
        return try await body()
    } catch let error as DropboxError {
        throw error.mapped(whileWriting: isWriting, target: target)
    }
}
