import FerryCore
import FerryHTTP
package import Foundation
import HTTPTypes

/// The addresses of Dropbox's hosts.
package struct DropboxEndpoints: Sendable, Hashable {
    /// Questions and changes.
    package var api: URL

    /// Contents.
    package var content: URL

    /// Waiting for changes.
    package var notify: URL

    /// Makes the vendor's addresses, or others.
    ///
    /// - Parameters:
    ///   - api: Questions and changes; `nil` for the vendor's host.
    ///   - content: Contents; `nil` for the vendor's host.
    ///   - notify: Waiting for changes; `nil` for the vendor's host.
    package init(api: URL? = nil, content: URL? = nil, notify: URL? = nil) {
        self.api = api ?? DropboxOptions.vendor("https://api.dropboxapi.com")
        self.content = content ?? DropboxOptions.vendor("https://content.dropboxapi.com")
        self.notify = notify ?? DropboxOptions.vendor("https://notify.dropboxapi.com")
    }
}

/// An address that routes are below.
struct DropboxHost: Sendable, Hashable {
    /// The origin that requests go to.
    let origin: HTTPOrigin

    /// The beginning of each path, before the version.
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

    /// Makes the request for a route.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - fields: The fields of the request.
    /// - Returns: The request, without credentials.
    func request(_ route: DropboxRoute, _ fields: HTTPFields = HTTPFields()) -> HTTPRequest {
        origin.request(.post, "\(prefix)/2/\(route.name)", fields)
    }
}
