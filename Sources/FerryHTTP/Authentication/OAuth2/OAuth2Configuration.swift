public import Foundation

/// An authorization server's addresses, and an app that is known there.
public struct OAuth2Configuration: Sendable, Hashable {
    /// The way in which an app proves who it is (RFC 6749 §2.3.1).
    public enum ClientAuthentication: Sendable, Hashable {
        /// In the `Authorization` field, which every server must understand.
        case basic
        /// In the form.
        case post
    }

    /// The page where a person logs in.
    public var authorizationURL: URL?

    /// The endpoint that issues tokens; over `https`, or on this machine.
    public var tokenURL: URL

    /// The endpoint where a login on another device begins (RFC 8628 §3.1).
    public var deviceAuthorizationURL: URL?

    /// The app's name at the server.
    public var clientID: String

    /// The app's secret; `nil` for apps that can't keep one.
    public var clientSecret: String?

    /// The way in which the secret is sent.
    public var clientAuthentication: ClientAuthentication

    /// The scopes that are asked for.
    public var scopes: [String]

    /// The additional parameters that the server wants at a login, such as `access_type` or `token_access_type`.
    public var extraParameters: [String: String]

    /// The port of 127.0.0.1 to which a browser is sent back, for servers that compare all of the URL with one that was
    /// registered; `nil` for a free one, as RFC 8252 §7.3 has it.
    public var redirectPort: UInt16?

    /// The name of this machine in the URL to which a browser is sent back: `127.0.0.1`, as RFC 8252 §8.3 has it, or
    /// `localhost` for servers that take no other.
    public var redirectHost = "127.0.0.1"

    /// A Boolean value that indicates whether the server shows a code to the person if it is given no URL to which a
    /// browser is sent back.
    public var showsCode = false

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - authorizationURL: Where a person logs in.
    ///   - tokenURL: Where tokens are to be had.
    ///   - deviceAuthorizationURL: Where a login on another device begins.
    ///   - clientID: The app's name at the server.
    ///   - clientSecret: The app's secret.
    ///   - clientAuthentication: How the secret is sent.
    ///   - scopes: The scopes that are asked for.
    ///   - extraParameters: The additional parameters that the server wants at a login.
    public init(
        authorizationURL: URL? = nil,
        tokenURL: URL,
        deviceAuthorizationURL: URL? = nil,
        clientID: String,
        clientSecret: String? = nil,
        clientAuthentication: ClientAuthentication = .basic,
        scopes: [String] = [],
        extraParameters: [String: String] = [:]
    ) {
        self.authorizationURL = authorizationURL
        self.tokenURL = tokenURL
        self.deviceAuthorizationURL = deviceAuthorizationURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.clientAuthentication = clientAuthentication
        self.scopes = scopes
        self.extraParameters = extraParameters
    }
}

extension OAuth2Configuration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The app and its endpoint, without the secret.
    public var description: String { "\(clientID) at \(tokenURL.absoluteString)" }

    /// The app and its endpoint, without the secret.
    public var debugDescription: String { description }

    /// The app and its endpoint, without the secret.
    public var customMirror: Mirror { Mirror(self, children: ["clientID": clientID, "tokenURL": tokenURL]) }
}
