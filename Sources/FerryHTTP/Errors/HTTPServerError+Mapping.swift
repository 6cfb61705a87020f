import FerryCore
public import Foundation

extension HTTPServerError {
    /// The error that a caller sees; the server's own answer travels inside it.
    ///
    /// The same status means the same on most servers. Where one means something else by it, its provider says so before
    /// it asks here.
    ///
    /// - Parameters:
    ///   - isWriting: `true` if the request was to change something.
    ///   - url: The item's URL, without a secret.
    /// - Returns: The error of the table; the server's answer as it is where no code fits, as for 400, 409 and 412.
    public func mapped(whileWriting isWriting: Bool = false, url: URL? = nil) -> any Error {
        let words = HTTPStatusWords(statusCode)
        func file(_ code: CocoaError.Code, description: String? = nil) -> CocoaError {
            // Where the code alone says it all, all providers say it in the same words.
            let suggestion = description == nil ? nil : words.suggestion
            return .file(
                code,
                path: path,
                description: description,
                suggestion: suggestion,
                url: url,
                underlying: self
            )
        }
        func answer(_ code: URLError.Code) -> URLError {
            .answer(
                code,
                about: path,
                description: words.description,
                suggestion: words.suggestion,
                url: url,
                underlying: self
            )
        }
        let notAllowed: CocoaError.Code = isWriting ? .fileWriteNoPermission : .fileReadNoPermission
        return switch statusCode {
        case 404, 410: file(.fileNoSuchFile)
        case 401, 407, 419, 440: answer(.userAuthenticationRequired)
        case 403: file(notAllowed)
        case 423, 451: file(notAllowed, description: words.description)
        case 405, 501: file(.featureUnsupported, description: words.description)
        case 408: answer(.timedOut)
        case 413: file(.fileWriteOutOfSpace, description: words.description)
        case 414:
            file(isWriting ? .fileWriteInvalidFileName : .fileReadInvalidFileName, description: words.description)
        case 420, 429, 503, 509, 529: answer(.resourceUnavailable)
        case 507: file(.fileWriteOutOfSpace)  // RFC 4918 §11.5: a retry can't make room
        case 511: answer(.notConnectedToInternet)
        case 304: self
        case 300..<400: answer(.redirectToNonExistentLocation)
        case 400..<500: self
        case 500..<600: answer(.badServerResponse)
        default: answer(.cannotParseResponse)
        }
    }
}
