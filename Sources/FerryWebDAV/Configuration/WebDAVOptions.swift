package import FerryCore
package import FerryHTTP

/// The options of a WebDAV server in a configuration, beside its URL and the user.
package struct WebDAVOptions: Sendable, Hashable {
    static let authenticationKey = "authentication"
    /// The option for what was learnt by trying the server out: see ``WebDAVProvider/discover(probing:)``.
    static let triedKey = "tried"

    /// The login by OAuth 2, whose endpoints only options name.
    package static let oauth2: StorageOAuth2 = {
        var oauth = StorageOAuth2()
        oauth.optionPrefix = "oauth-"
        oauth.selector = StorageOAuth2.Selector(option: authenticationKey, value: "oauth2")
        return oauth
    }()

    /// Certificates, proxies and the timeout.
    package var http = HTTPOptions()

    /// The way in which a password is proved.
    package var scheme = PasswordScheme.automatic

    /// The endpoints of tokens that are sent instead of a password, without the app's secret; `nil` for a password.
    package var oauth: OAuth2Configuration?

    /// The facts that were learnt about the server by trying; `nil` if nobody has.
    package var tried: WebDAVTrial?

    /// Makes options that say nothing.
    package init() {}

    /// Reads options.
    ///
    /// - Parameter options: From a configuration; what is not known is left out.
    package init(_ options: [String: String]) {
        http = HTTPOptions(options)
        scheme = Self.schemes.first { $0.name == options[Self.authenticationKey] }?.scheme ?? .automatic
        oauth = Self.oauth2.configuration(options)
        tried = options[Self.triedKey].map { WebDAVTrial($0) }
    }

    /// The options as a configuration keeps them.
    package var dictionary: [String: String] {
        var options = http.dictionary
        options[Self.authenticationKey] = Self.schemes.first { $0.scheme == scheme }?.name
        options[Self.triedKey] = tried?.text
        if let oauth { options.merge(Self.oauth2.options(oauth)) { $1 } }
        return options
    }

    /// The names of the schemes in a configuration; none for the automatic one.
    private static let schemes: [(name: String, scheme: PasswordScheme)] = [("basic", .basic), ("digest", .digest)]
}
