import Foundation

/// The storage no longer knows what happened since an anchor: HTTP's 410, also from storages that have no HTTP.
public struct AnchorExpiredError: FileProviderHTTPError, Hashable {
    /// The root: all of it must be listed again.
    public var path: ItemPath { .root }

    /// The server's own words, if it gave any.
    public let serverDescription: String?

    /// 410 (RFC 9110 §15.5.11).
    public var statusCode: Int { 410 }

    /// The error in words.
    public var errorDescription: String? { "The storage no longer knows what has changed since then." }

    /// The same in words that can end a line.
    public var failureReason: String? { "the storage no longer knows what changed since then" }

    /// A suggestion.
    public var recoverySuggestion: String? { "list everything again and begin from a new anchor" }

    /// Makes the error.
    ///
    /// - Parameter serverDescription: The server's own words, if it gave any.
    public init(serverDescription: String? = nil) {
        self.serverDescription = serverDescription
    }
}
