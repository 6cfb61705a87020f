import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension OneDriveError {
    /// Returns the error that callers see, with this one inside.
    ///
    /// - Parameters:
    ///   - isWriting: A Boolean value that indicates whether something was to be changed.
    ///   - target: The path where something was to be put; `nil` for the item that the request was about.
    /// - Returns: An error of the project's table; this error where the table has none.
    func mapped(whileWriting isWriting: Bool = false, target: ItemPath? = nil) -> any Error {
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
            return table(whileWriting: isWriting)
        }
    }

    /// The error that all services have for the status.
    private func table(whileWriting isWriting: Bool) -> any Error {
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

    /// A Boolean value that indicates whether the service has failed, and may have done what was asked.
    var isTransient: Bool { answeredStatusCode >= 500 && (reason == .status || reason == .unavailable) }
}

extension Error {
    /// The service's refusal that an error was made of, or that the error is.
    var refusalByGraph: OneDriveError? { serverAnswer as? OneDriveError }

    /// A Boolean value that indicates whether an error says that there is no such item.
    var isNoSuchItem: Bool {
        (self as? CocoaError)?.code == .fileNoSuchFile || (self as? OneDriveError)?.reason == .noSuchItem
    }

    /// A Boolean value that indicates whether the request may have been carried out, though no answer came.
    var mayHaveBeenDone: Bool {
        if let refusal = self as? OneDriveError { return refusal.isTransient }
        guard let error = self as? URLError else { return false }
        return switch error.code {
        case .networkConnectionLost, .timedOut, .badServerResponse: true
        default: false
        }
    }
}

/// Returns what a body returns; refusals by the service become the errors of the table.
///
/// - Parameters:
///   - isWriting: A Boolean value that indicates whether something is to be changed.
///   - target: The path where something is to be put.
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
    } catch let error as OneDriveError {
        throw error.mapped(whileWriting: isWriting, target: target)
    }
}
