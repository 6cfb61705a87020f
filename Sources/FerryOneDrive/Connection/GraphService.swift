import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// The address of the API, version included.
struct GraphService: Sendable, Hashable {
    /// The origin that the login is for.
    let origin: HTTPOrigin

    /// The beginning of each path, such as `/v1.0`.
    private let prefix: String

    /// Reads an address.
    ///
    /// - Parameter url: A URL of `http` or `https`.
    /// - Throws: `URLError.unsupportedURL` for any other.
    init(_ url: URL) throws {
        guard let origin = HTTPOrigin(url) else {
            throw URLError.answer(.unsupportedURL, description: "not the address of a server", url: url.withoutUserInfo)
        }
        self.origin = origin
        var path = url.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        prefix = path
    }

    /// Makes a request for what is below the address.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path and query behind the version, percent-encoded.
    ///   - fields: The fields of the request.
    /// - Returns: The request, without credentials.
    func request(_ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = HTTPFields()) -> HTTPRequest {
        origin.request(method, prefix + path, fields)
    }

    /// Makes a request for a URL of the server's, which is followed as it is.
    ///
    /// - Parameters:
    ///   - url: An absolute URL, of the next page, an upload session, a download or a job.
    ///   - method: The method.
    ///   - fields: The fields of the request.
    /// - Returns: The request, without credentials.
    /// - Throws: `URLError.cannotParseResponse` for what is no such URL, or leads from TLS to where everybody can read.
    func request(following url: String, _ method: HTTPRequest.Method, _ fields: HTTPFields) throws -> HTTPRequest {
        guard let parsed = URL(string: url), let target = HTTPOrigin(parsed), target.scheme != "http+unix",
            target.scheme == "https" || origin.scheme == "http", let schemeEnd = url.range(of: "://")
        else {
            throw URLError.answer(.cannotParseResponse, description: "the server gives a URL that is none")
        }
        let rest = url[schemeEnd.upperBound...].prefix { $0 != "#" }
        let start = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let path = rest[start...]
        return target.request(method, path.hasPrefix("/") ? String(path) : "/" + path, fields)
    }
}
