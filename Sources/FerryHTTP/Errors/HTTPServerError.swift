public import FerryCore
import Foundation
public import HTTPTypes

/// A server's answer that was not the one we wanted.
public struct HTTPServerError: FileProviderHTTPError, Hashable {
    /// The HTTP status code (RFC 9110 §15), 100…599.
    public let statusCode: Int

    /// The item that the request was about.
    public let path: ItemPath

    /// The server's own words, text only, 4 KiB at most, or `nil` if it gave none.
    public let serverDescription: String?

    /// What the status means, in words.
    public var errorDescription: String? { "the server answered \(statusCode)" }

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - status: What the server answered.
    ///   - path: The item that the request was about.
    ///   - serverDescription: The server's own words.
    public init(_ status: HTTPResponse.Status, path: ItemPath, serverDescription: String? = nil) {
        self.statusCode = status.code
        self.path = path
        self.serverDescription = serverDescription
    }
}
