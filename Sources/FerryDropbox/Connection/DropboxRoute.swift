/// A route of the API, as the vendor's description names it.
struct DropboxRoute: Sendable, Hashable {
    /// The host that answers it.
    enum Host: Sendable, Hashable {
        /// Questions and changes.
        case api
        /// Contents.
        case content
        /// Waiting for changes; it takes no login.
        case notify
    }

    /// Its name, namespace included.
    let name: String

    /// The host that answers it.
    let host: Host

    /// Makes a route.
    ///
    /// - Parameters:
    ///   - name: Its name, such as `files/list_folder`.
    ///   - host: The host that answers it.
    init(_ name: String, host: Host = .api) {
        self.name = name
        self.host = host
    }
}

extension DropboxRoute: ExpressibleByStringLiteral {
    /// Makes a route of the host for questions and changes.
    ///
    /// - Parameter value: Its name.
    init(stringLiteral value: String) {
        self.init(value)
    }
}
