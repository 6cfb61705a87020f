public import Foundation

/// What an authorization server has given us (RFC 6749 §5.1); printing it shows nothing of it.
public struct OAuth2Token: Sendable, Hashable, Codable {
    /// The token that is sent with each request.
    public var accessToken: String

    /// What another access token is to be had for; `nil` if only a new login helps.
    public var refreshToken: String?

    /// When the access token ends; `nil` if the server did not say.
    public var expires: Date?

    /// What it allows, as the server named it; `nil` if that is what was asked for.
    public var scope: String?

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - accessToken: What is sent with each request.
    ///   - refreshToken: What another access token is to be had for.
    ///   - expires: When the access token ends.
    ///   - scope: What it allows.
    public init(accessToken: String, refreshToken: String? = nil, expires: Date? = nil, scope: String? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expires = expires
        self.scope = scope
    }
}

extension OAuth2Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Not the token.
    public var description: String { "<redacted>" }

    /// Not the token.
    public var debugDescription: String { "<redacted>" }

    /// Not the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
