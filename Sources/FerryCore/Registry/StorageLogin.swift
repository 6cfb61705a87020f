public import Foundation

/// A way to log in at a kind of storage.
public enum StorageLogin: Sendable {
    /// Begins a login in a browser.
    public typealias BrowserLoginStarter =
        @Sendable (ProviderConfiguration, FileProviderEnvironment) async throws -> any StorageBrowserLogin

    /// Nobody logs in.
    case none
    /// A user and a password.
    case password
    /// A token that a person has got elsewhere.
    case token
    /// OAuth 2 (RFC 6749).
    case oauth2(StorageOAuth2)
    /// A page of the server, on which a person allows this program to log in; it gets a password of its own.
    case browser(BrowserLoginStarter)
    /// A program that logs in by its own means, such as `ssh`.
    case program(String)

    /// The way in words, as in "log in by …".
    public var words: String {
        switch self {
        case .none: "none"
        case .password: "password"
        case .token: "token"
        case .oauth2: "OAuth 2"
        case .browser: "browser"
        case .program(let name): name
        }
    }
}

/// A login in a browser that has begun.
public protocol StorageBrowserLogin: Sendable {
    /// The page to open.
    var loginURL: URL { get }

    /// Asks the server whether the person has allowed it.
    ///
    /// - Returns: The credential, once; `nil` as long as nothing was decided.
    /// - Throws: Errors of the connection.
    func pollCredential() async throws -> FileProviderCredential?

    /// Closes the connections.
    func end() async
}

/// The endpoints of an authorization server, as far as a kind of storage fixes them; options of a configuration can
/// name others.
public struct StorageOAuth2: Sendable, Hashable {
    /// The beginning of the options' names: an empty text, or `oauth-`.
    ///
    /// After it come `authorization-url`, `token-url`, `device-url`, `client-id` and `scopes`.
    public var optionPrefix = ""

    /// The option and its value that choose OAuth 2 among other ways to log in; `nil` if it is the only one.
    public var selector: Selector?

    /// The page where a browser logs in (RFC 6749 §3.1).
    public var authorizationURL: URL?

    /// The endpoint of tokens (RFC 6749 §3.2).
    public var tokenURL: URL?

    /// The endpoint where a login on another device begins (RFC 8628 §3.1).
    public var deviceURL: URL?

    /// The permissions that are asked for.
    public var scopes: [String] = []

    /// The port of 127.0.0.1 in the registered URL to which a browser is sent back; `nil` if the server takes any port.
    public var redirectPort: UInt16?

    /// The name of this machine in the registered URL: `127.0.0.1`, or `localhost` for servers that take no other.
    public var redirectHost = "127.0.0.1"

    /// A Boolean value that indicates whether the server shows a code to the person if the authorization request names no
    /// URL to which a browser is sent back.
    public var showsCode = false

    /// Parameters of the vendor's own in the authorization request, such as `token_access_type`.
    public var parameters: [String: String] = [:]

    /// An option that chooses OAuth 2.
    public struct Selector: Sendable, Hashable {
        /// The option's name.
        public let option: String

        /// Its value.
        public let value: String

        /// Makes a selector.
        ///
        /// - Parameters:
        ///   - option: The option's name.
        ///   - value: Its value.
        public init(option: String, value: String) {
            self.option = option
            self.value = value
        }
    }

    /// Makes a value without endpoints, which options have to name.
    public init() {}

    /// The name of an option.
    ///
    /// - Parameter name: The name without the prefix.
    /// - Returns: The key in configurations.
    public func option(_ name: String) -> String { optionPrefix + name }

    /// Returns whether a configuration logs in by OAuth 2.
    ///
    /// - Parameter options: The options of a configuration.
    /// - Returns: `true` if it does.
    public func isChosen(by options: [String: String]) -> Bool {
        selector.map { options[$0.option] == $0.value } ?? true
    }
}
