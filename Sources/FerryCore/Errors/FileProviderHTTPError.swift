public import Foundation

/// A server's own answer, when it was not the one we wanted.
///
/// It is the *underlying* error where a Foundation code exists for the situation, and thrown as it is where none does.
/// `errorDescription`, which is the `localizedDescription`, is a whole sentence that names the item; `failureReason` says
/// the same in a few words without the item.
public protocol FileProviderHTTPError: LocalizedError, Sendable {
    /// The HTTP status code (RFC 9110 §15), 100…599; ``code`` is the same with a name.
    var statusCode: Int { get }

    /// The item that the request was about.
    var path: ItemPath { get }

    /// The server's own words, text only and bounded, or `nil` if it gave none.
    var serverDescription: String? { get }
}

extension FileProviderHTTPError {
    /// The status code as a value that has a name and words.
    public var code: FileProviderHTTPErrorCode { FileProviderHTTPErrorCode(rawValue: statusCode) }
}

/// The item is no longer what the caller said it must be: HTTP's 412, also from storages that have no HTTP.
public struct PreconditionFailedError: FileProviderHTTPError, Hashable {
    /// The item that has changed.
    public let path: ItemPath

    /// The server's own words, if it gave any.
    public let serverDescription: String?

    /// 412 (RFC 9110 §15.5.13).
    public var statusCode: Int { 412 }

    /// The sentence that says what happened to which item.
    public var errorDescription: String? { "“\(path)” has changed meanwhile." }

    /// The same in words, without the item.
    public var failureReason: String? { "changed meanwhile" }

    /// A suggestion.
    public var recoverySuggestion: String? { "look at it again, then repeat what you meant to do" }

    /// Makes the error.
    ///
    /// - Parameters:
    ///   - path: The item that has changed.
    ///   - serverDescription: The server's own words, if it gave any.
    public init(path: ItemPath, serverDescription: String? = nil) {
        self.path = path
        self.serverDescription = serverDescription
    }
}
