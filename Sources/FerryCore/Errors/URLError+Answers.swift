public import Foundation

extension URLError {
    /// Makes an error whose `localizedDescription` is a whole sentence, with the item or the URL if one is given.
    ///
    /// - Parameters:
    ///   - code: The situation.
    ///   - path: The item that the request was about; `nil` if it was about none.
    ///   - description: The words that say what happened, without the item and without a secret.
    ///   - suggestion: Advice on how to solve the problem, if any is known.
    ///   - url: The URL that was asked for, without a secret.
    ///   - underlying: The storage's own error.
    /// - Returns: An error whose `userInfo` holds all that was given.
    public static func answer(
        _ code: URLError.Code,
        about path: ItemPath? = nil,
        description: String,
        suggestion: String? = nil,
        url: URL? = nil,
        underlying: (any Error)? = nil
    ) -> URLError {
        let item = path.map { "“\($0)”" } ?? url.map { "“\($0.withoutUserInfo.absoluteString)”" }
        let failure = item.map { "The request for \($0) failed" } ?? "The request failed"
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "\(failure): \(description)" + (description.hasSuffix(".") ? "" : "."),
            NSLocalizedFailureReasonErrorKey: description,
        ]
        info[NSLocalizedRecoverySuggestionErrorKey] = suggestion
        info[NSURLErrorFailingURLErrorKey] = url
        info[NSUnderlyingErrorKey] = underlying
        return URLError(code, userInfo: info)
    }

    /// Makes the error for a listing that would never end: the storage gave the same page token twice.
    ///
    /// - Parameter list: The list in words.
    /// - Returns: `URLError.cannotParseResponse`.
    package static func repeatedPage(of list: String = "listing") -> URLError {
        .answer(.cannotParseResponse, description: "the storage repeats a page of the \(list)")
    }

    /// The error for a listing of too many pages without items.
    package static var endlessListing: URLError {
        .answer(.cannotParseResponse, description: "the listing does not end")
    }

    /// Fewer or more bytes came than were announced.
    ///
    /// - Parameters:
    ///   - expected: Bytes that were announced.
    ///   - received: Bytes that came.
    /// - Returns: `URLError.networkConnectionLost` for fewer, `.cannotParseResponse` for more.
    public static func wrongLength(expected: Int64, received: Int64) -> URLError {
        let code: URLError.Code = received < expected ? .networkConnectionLost : .cannotParseResponse
        return answer(code, description: "\(expected) bytes were announced, \(received) came").ofOtherContent
    }

    /// Other bytes came than were sent or stored: the same call may go well, as after a lost connection.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - description: The words that say what happened.
    ///   - underlying: The storage's own error.
    /// - Returns: `URLError.networkConnectionLost`.
    package static func otherContent(
        about path: ItemPath,
        description: String,
        underlying: (any Error)? = nil
    ) -> URLError {
        answer(
            .networkConnectionLost,
            about: path,
            description: description,
            suggestion: "try again",
            underlying: underlying
        ).ofOtherContent
    }

    /// Marks an error that is about the bytes that came, and not about the line, in the `userInfo`.
    private static let otherContentKey = "FerryOtherContent"

    fileprivate var isOfOtherContent: Bool { userInfo[Self.otherContentKey] != nil }

    private var ofOtherContent: URLError {
        URLError(code, userInfo: userInfo.merging([Self.otherContentKey: true]) { $1 })
    }
}

extension URLError {
    /// Marks a time-out of connecting, in the `userInfo`: the server has not been asked anything.
    private static let connectingKey = "FerryConnecting"

    /// There was no connection in time.
    ///
    /// - Parameter error: The error that was thrown.
    /// - Returns: `URLError.timedOut`.
    package static func connectionTimeOut(underlying error: (any Error)?) -> URLError {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "there was no connection to the server in time", connectingKey: true,
        ]
        info[NSUnderlyingErrorKey] = error
        return URLError(.timedOut, userInfo: info)
    }

    fileprivate var isOfConnecting: Bool { userInfo[Self.connectingKey] != nil }
}

extension Error {
    /// Returns `true` if the line was fine, and other bytes came than were announced, sent or stored.
    package var isOtherContent: Bool { (self as? URLError)?.isOfOtherContent ?? false }

    /// The answer of a server that an error of the table was made of, or that the error is.
    package var serverAnswer: (any FileProviderHTTPError)? {
        if let answer = self as? any FileProviderHTTPError { return answer }
        let facts = (self as? URLError)?.errorUserInfo ?? (self as? CocoaError)?.userInfo
        return facts?[NSUnderlyingErrorKey] as? any FileProviderHTTPError
    }

    /// Returns `true` if a server was asked, and was silent for too long: asked the same again, it most likely is again.
    package var isAnswerTimeOut: Bool {
        guard let error = self as? URLError, error.code == .timedOut, !error.isOfConnecting else { return false }
        // A server that says 408 has answered (RFC 9110 §15.5.9).
        return !(error.userInfo[NSUnderlyingErrorKey] is any FileProviderHTTPError)
    }
}
