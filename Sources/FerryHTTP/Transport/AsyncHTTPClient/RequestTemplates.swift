import AsyncHTTPClient
import NIOHTTP1
import Synchronization

/// Requests as AsyncHTTPClient takes them, of which only the fields and the body are still to come.
///
/// It takes a URL apart for each that is made, which takes as long as all the rest of making it; and here all requests
/// to a server with the same method have the same URL (see ``HTTPExchanges``).
final class RequestTemplates: Sendable {
    private struct Key: Hashable {
        let method: HTTPMethod.RawValue
        let origin: String
    }

    /// A transport speaks to one server, and to those that redirects lead to.
    private static let most = 64

    private let templates = Mutex<[Key: HTTPClient.Request]>([:])

    /// A request without fields and body.
    ///
    /// - Parameters:
    ///   - method: Its method.
    ///   - origin: Scheme, host and port of its URL.
    /// - Returns: The request.
    /// - Throws: `HTTPClientError` for an origin that there can't be.
    func request(_ method: String, to origin: String) throws -> HTTPClient.Request {
        let key = Key(method: method, origin: origin)
        if let known = templates.withLock({ $0[key] }) { return known }
        let new = try HTTPClient.Request(url: "\(origin)/", method: HTTPMethod(rawValue: method))
        templates.withLock { templates in
            if templates.count >= Self.most { templates = [:] }
            templates[key] = new
        }
        return new
    }
}
