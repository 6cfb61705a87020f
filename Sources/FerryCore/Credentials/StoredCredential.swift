/// A credential as stores write it down, secret and all: it is not for anybody else.
package struct StoredCredential: Codable, Sendable {
    private var user: String?
    private var password: String?
    private var token: String?
    private var oauth: OAuth2Token?

    /// Makes what is to be written.
    ///
    /// - Parameter credential: The credential.
    package init(_ credential: FileProviderCredential) {
        user = credential.user
        switch credential.secret {
        case .password(let text): password = text
        case .token(let text): token = text
        case .oauth(let tokens): oauth = tokens
        case nil: break
        }
    }

    /// The credential that was written.
    package var credential: FileProviderCredential {
        let secret: FileProviderCredential.Secret? =
            password.map { .password($0) } ?? token.map { .token($0) } ?? oauth.map { .oauth($0) }
        return FileProviderCredential(user: user, secret: secret)
    }
}
