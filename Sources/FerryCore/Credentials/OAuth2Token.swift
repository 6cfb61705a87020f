public import Foundation

/// The tokens that an authorization server has issued to us (RFC 6749 §5.1); printing them shows nothing of them.
public struct OAuth2Token: Sendable, Hashable, Codable {
    /// The token that is sent with each request.
    public var accessToken: String

    /// The token that is exchanged for another access token; `nil` if only a new login helps.
    public var refreshToken: String?

    /// The date at which the access token ends; `nil` if the server did not say.
    public var expires: Date?

    /// The scope of access, as the server named it; `nil` if it is the one that was asked for.
    public var scope: String?

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - accessToken: The token that is sent with each request.
    ///   - refreshToken: The token that is exchanged for another access token.
    ///   - expires: When the access token ends.
    ///   - scope: The scope of access.
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
