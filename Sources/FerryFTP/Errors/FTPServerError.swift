public import FerryCore
public import Foundation

/// A server's refusal in its own words: the *underlying* error where a Foundation code exists for the situation.
public struct FTPServerError: LocalizedError, Sendable, Hashable {
    /// The reply code (RFC 959 §4.2), 400…599.
    public let replyCode: Int

    /// The item that the command was about.
    public let path: ItemPath

    /// The server's own words, text only and bounded.
    public let serverDescription: String

    /// The error in words.
    public var errorDescription: String? { "the server answered \(replyCode) \(serverDescription)" }
}
