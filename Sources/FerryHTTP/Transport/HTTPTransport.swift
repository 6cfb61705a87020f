public import Foundation
public import HTTPTypes

/// A carrier of HTTP requests to servers, and of the responses back.
///
/// A transport does just that: it follows no redirect, knows no password, keeps no cookie, repeats nothing, decodes no
/// content. All this is ``HTTPSession``'s, and so the same on every transport.
///
/// Every transport keeps these rules:
/// - The request's `scheme`, `authority` and `path` are sent as they are; the path is percent-encoded already.
/// - The body's chunks are asked for only as fast as the server takes them, 1 MiB ahead at most. With a ``HTTPRequestBody/length`` the request
///   has a `Content-Length`, and a body of another length fails the request; without, it is chunked.
/// - An answer may come before the body was sent. If it is no success, or complete, the rest of the body is not asked
///   for; until then it is, since a server may announce a success early.
/// - The answer's chunks are read from the line only as fast as they are taken. An answer that ends before its
///   `Content-Length` throws `URLError.networkConnectionLost`, never ends early.
/// - Errors are those of the table: `URLError.cannotFindHost`, `.cannotConnectToHost`, `.networkConnectionLost`,
///   `.timedOut`, `.serverCertificateUntrusted` and its kin, `.cannotParseResponse`; `CancellationError`. What the body's
///   source throws is thrown as it is.
public protocol HTTPTransport: Sendable {
    /// Sends a request, and waits for the head of its answer.
    ///
    /// - Parameters:
    ///   - request: Method, URL and fields, `Host` and framing excepted, which the transport adds.
    ///   - body: The body to send with it; `nil` for no body.
    /// - Returns: The head of the final answer (never 1xx), and its body as it arrives.
    /// - Throws: See the protocol's rules. An error that came before any byte of an answer on a connection that was
    ///   used before is a ``StaleConnectionError``, which tells that the server may not have seen the request.
    func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply

    /// Ends all requests that are under way, with `CancellationError`, and closes all connections.
    func shutdown() async
}

/// A connection that was used before was closed before any byte of an answer came: the server may have grown tired of
/// it, and not have seen the request.
public struct StaleConnectionError: Error {
    /// The error to throw if the request is not repeated.
    public let lost: URLError

    /// Makes an error.
    ///
    /// - Parameter lost: The error to throw if the request is not repeated.
    public init(_ lost: URLError) {
        self.lost = lost
    }
}
