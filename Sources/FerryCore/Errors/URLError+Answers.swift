public import Foundation

extension URLError {
    /// Makes an error with words of our own.
    ///
    /// - Parameters:
    ///   - code: The situation.
    ///   - description: What happened, in words, without a secret.
    ///   - suggestion: What a person can do about it, if anything is known.
    ///   - url: What was asked for, without a secret.
    ///   - underlying: What the storage itself said.
    /// - Returns: An error whose `userInfo` holds all that was given.
    public static func answer(
        _ code: URLError.Code,
        description: String,
        suggestion: String? = nil,
        url: URL? = nil,
        underlying: (any Error)? = nil
    ) -> URLError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        info[NSLocalizedRecoverySuggestionErrorKey] = suggestion
        info[NSURLErrorFailingURLErrorKey] = url
        info[NSUnderlyingErrorKey] = underlying
        return URLError(code, userInfo: info)
    }

    /// A listing would never end: the storage gave the same page token twice.
    static var repeatedPage: URLError {
        .answer(.cannotParseResponse, description: "the storage repeats a page of the listing")
    }

    /// Fewer or more bytes came than were announced.
    ///
    /// - Parameters:
    ///   - expected: Bytes that were announced.
    ///   - received: Bytes that came.
    /// - Returns: `URLError.networkConnectionLost` for fewer, `.cannotParseResponse` for more.
    public static func wrongLength(expected: Int64, received: Int64) -> URLError {
        .answer(
            received < expected ? .networkConnectionLost : .cannotParseResponse,
            description: "\(expected) bytes were announced, \(received) came"
        )
    }
}
