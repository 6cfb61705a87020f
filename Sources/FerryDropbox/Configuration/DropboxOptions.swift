import FerryCore
public import FerryHTTP
public import Foundation

/// The addresses, the app and the root of an account at Dropbox.
public struct DropboxOptions: Sendable, Hashable {
    /// The addresses of Dropbox's hosts.
    package var endpoints = DropboxEndpoints()

    /// The endpoint that issues tokens.
    public var tokenURL = DropboxOptions.vendor("https://api.dropboxapi.com/oauth2/token")

    /// The page where a person logs in.
    public var authorizationURL = DropboxOptions.vendor("https://www.dropbox.com/oauth2/authorize")

    /// The app's key; `nil` where tokens are never renewed.
    public var clientID: String?

    /// The folder that paths begin at.
    public var pathRoot = DropboxPathRoot.home

    /// Indicates whether ``FerryCore/StorageKind/dropbox`` opens the folders that are shared with the account, mounted or
    /// not, in place of its files; with ``showsSharedFiles`` both.
    public var showsSharedFolders = false

    /// Indicates whether ``FerryCore/StorageKind/dropbox`` opens the files that were shared with the account one by one, in
    /// place of its own; with ``showsSharedFolders`` both.
    public var showsSharedFiles = false

    /// Indicates whether searches by name ask Dropbox's index, which can lag behind changes by seconds or more.
    public var searchesIndex = true

    /// The options that every provider on HTTP has: trust, proxies, time-outs.
    package var http = HTTPOptions()

    /// The port of 127.0.0.1 to which a browser is sent back; 0 for a free one.
    ///
    /// Dropbox compares the whole redirect URI, port included, with those on the app's page.
    public var redirectPort: UInt16 = 53682

    /// Makes the usual options.
    public init() {}

    /// Returns an address that stands in the source; one with a mistake in it would be refused by the first request.
    static func vendor(_ text: StaticString) -> URL { URL(string: "\(text)") ?? URL(filePath: "/") }
}

extension DropboxOptions {
    enum Key {
        static let api = "api-url"
        static let content = "content-url"
        static let notify = "notify-url"
        static let token = "token-url"
        static let authorization = "authorization-url"
        static let client = "client-id"
        static let pathRoot = "path-root"
        static let index = "search-index"
        static let sharedFolders = "shared-folders"
        static let sharedFiles = "shared-files"
        static let redirectPort = "redirect-port"
    }

    /// Reads the options of a configuration.
    ///
    /// - Parameter options: Names and values; names of others are passed over.
    /// - Throws: `CocoaError.coderInvalidValue` for a value that makes no sense.
    package init(_ options: [String: String]) throws {
        self.init()
        let values = OptionReader(options)
        endpoints = DropboxEndpoints(
            api: try values.serverURL(Key.api),
            content: try values.serverURL(Key.content),
            notify: try values.serverURL(Key.notify)
        )
        if let url = try values.serverURL(Key.token) { tokenURL = url }
        if let url = try values.serverURL(Key.authorization) { authorizationURL = url }
        clientID = values.text(Key.client)
        let root = try values.value(Key.pathRoot, "home, team, or the number of a namespace") { DropboxPathRoot($0) }
        if let root { pathRoot = root }
        searchesIndex = try values.flag(Key.index) ?? true
        showsSharedFolders = try values.flag(Key.sharedFolders) ?? false
        showsSharedFiles = try values.flag(Key.sharedFiles) ?? false
        if let port = try values.number(Key.redirectPort, in: 0...UInt16.max) { redirectPort = port }
        http = HTTPOptions(options)
    }

    /// The options that differ from the usual ones, by name.
    package var dictionary: [String: String] {
        let usual = DropboxOptions()
        var options = http.dictionary
        for (key, url, other) in [
            (Key.api, endpoints.api, usual.endpoints.api), (Key.content, endpoints.content, usual.endpoints.content),
            (Key.notify, endpoints.notify, usual.endpoints.notify), (Key.token, tokenURL, usual.tokenURL),
            (Key.authorization, authorizationURL, usual.authorizationURL),
        ] where url != other { options[key] = url.absoluteString }
        options[Key.client] = clientID
        if redirectPort != usual.redirectPort { options[Key.redirectPort] = String(redirectPort) }
        if pathRoot != .home { options[Key.pathRoot] = pathRoot.text }
        if !searchesIndex { options[Key.index] = "false" }
        if showsSharedFolders { options[Key.sharedFolders] = "true" }
        if showsSharedFiles { options[Key.sharedFiles] = "true" }
        return options
    }

    /// The authorization server, and the app that is known there.
    ///
    /// - Parameter clientSecret: The app's secret; `nil` for an app that has none.
    /// - Returns: The configuration of a login and its renewals.
    public func oauth(clientSecret: String? = nil) -> OAuth2Configuration {
        var configuration = OAuth2Configuration(
            authorizationURL: authorizationURL,
            tokenURL: tokenURL,
            clientID: clientID ?? "",
            clientSecret: clientSecret,
            clientAuthentication: .post,
            // Without, the login ends after four hours.
            extraParameters: ["token_access_type": "offline"]
        )
        configuration.redirectPort = redirectPort
        return configuration
    }
}
