/// An account on a storage; printing it never shows the secret.
public struct FileProviderCredential: Sendable, Hashable {
    /// The proof of identity.
    public enum Secret: Sendable, Hashable {
        /// A password, or an app password.
        case password(String)
        /// A bearer token (RFC 6750).
        case token(String)
        /// Tokens of OAuth 2 (RFC 6749), which are renewed now and then.
        case oauth(OAuth2Token)
    }

    /// The user's name there; `nil` where the secret alone says who we are.
    public let user: String?

    /// The secret that proves it; `nil` if it is held elsewhere, or not needed.
    public let secret: Secret?

    /// The text that tells this person from others where there is no user's name and the secret is not shown: derived
    /// from the secret, which it doesn't give away; `nil` where nobody knows.
    public let fingerprint: String?

    /// Makes a credential.
    ///
    /// - Parameters:
    ///   - user: The user's name there.
    ///   - secret: The secret that proves it.
    ///   - fingerprint: The text that tells this person from others, without a name or a secret.
    public init(user: String?, secret: Secret? = nil, fingerprint: String? = nil) {
        self.user = user
        self.secret = secret
        self.fingerprint = fingerprint
    }
}

extension FileProviderCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user, and whether there is a secret.
    public var description: String {
        "\(user ?? "anonymous")\(secret == nil ? "" : " <redacted>")"
    }

    /// The user, and whether there is a secret.
    public var debugDescription: String { description }

    /// Shows no secret to `dump` either.
    public var customMirror: Mirror { Mirror(self, children: ["user": user ?? "anonymous"]) }
}

extension FileProviderCredential.Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Not the secret.
    public var description: String { "<redacted>" }

    /// Not the secret.
    public var debugDescription: String { "<redacted>" }

    /// Not the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
