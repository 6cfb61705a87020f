public import FerryCore
import Foundation
public import HTTPTypes

/// A server's answer that was not the one we wanted.
public struct HTTPServerError: FileProviderHTTPError, RetryAfterError, Hashable {
    /// The HTTP status code (RFC 9110 §15), 100…599.
    public let statusCode: Int

    /// The item that the request was about.
    public let path: ItemPath

    /// The server's own words, text only, 4 KiB at most, or `nil` if it gave none.
    public let serverDescription: String?

    /// The time after which the server wants to be asked again (`Retry-After`, RFC 9110 §10.2.3); `nil` if it did not
    /// say.
    public let retryAfter: Duration?

    /// The sentence that says what happened to which item.
    public var errorDescription: String? { "The request for “\(path)” failed: \(failureReason ?? "")." }

    /// The meaning of the status in words, and the status.
    public var failureReason: String? { "\(HTTPStatusWords(statusCode).description) (HTTP \(statusCode))" }

    /// Advice for a person, where there is any.
    public var recoverySuggestion: String? { HTTPStatusWords(statusCode).suggestion }

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - status: The status of the server's answer.
    ///   - path: The item that the request was about.
    ///   - serverDescription: The server's own words.
    ///   - retryAfter: When the server wants to be asked again.
    public init(
        _ status: HTTPResponse.Status,
        path: ItemPath,
        serverDescription: String? = nil,
        retryAfter: Duration? = nil
    ) {
        self.statusCode = status.code
        self.path = path
        self.serverDescription = serverDescription
        self.retryAfter = retryAfter
    }
}
