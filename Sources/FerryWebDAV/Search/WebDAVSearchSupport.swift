/// The endpoint and the scope of a server's own search (RFC 5323).
package struct WebDAVSearchSupport: Sendable, Hashable {
    /// The path that takes `SEARCH`, percent-encoded.
    package var endpoint: String

    /// The base folder's name in a search's scope: percent-encoded, without a slash at its end.
    ///
    /// By RFC 5323 that is its path; Nextcloud wants it without the path of its interface.
    package var scope: String

    /// Describes a server's search.
    ///
    /// - Parameters:
    ///   - endpoint: The path that takes `SEARCH`, percent-encoded.
    ///   - scope: How the base folder is called in a search's scope.
    package init(endpoint: String, scope: String) {
        self.endpoint = endpoint
        self.scope = scope
    }
}
