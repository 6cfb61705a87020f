package import FerryCore
package import Logging

/// The login of an account whose secret is a token that does not change, or tokens of OAuth 2 that are renewed.
package struct AccountLogin: Sendable {
    /// The account, with its secret as the store had it.
    package let credential: FileProviderCredential

    /// The proof of identity, which renews tokens and saves them in the store.
    package let authenticator: any HTTPAuthenticator

    /// Reads the login of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, which names the account.
    ///   - store: The store of the account's secret, and of the app's (`oauthClientAccount`).
    ///   - transport: The transport that carries requests for tokens.
    ///   - logger: The logger of the provider.
    ///   - oauth: Returns the authorization server, and the app with its secret, if it has one.
    /// - Throws: Errors of the store.
    package init(
        of configuration: ProviderConfiguration,
        in store: any CredentialStore,
        transport: any HTTPTransport,
        logger: Logger,
        oauth: (_ clientSecret: String?) -> OAuth2Configuration
    ) async throws {
        let known = try await store.credential(for: configuration.account)
        credential = FileProviderCredential(
            user: configuration.user ?? known?.user,
            secret: known?.secret,
            fingerprint: known?.fingerprint
        )
        if case .token(let token) = known?.secret {
            authenticator = BearerAuthenticator(token: token)
            return
        }
        var clientSecret: String?
        if case .password(let secret) = try await store.credential(for: configuration.oauthClientAccount)?.secret {
            clientSecret = secret
        }
        let client = OAuth2Client(configuration: oauth(clientSecret), transport: transport, logger: logger)
        authenticator = OAuth2Authenticator(
            client: client,
            store: store,
            account: configuration.account,
            logger: logger
        )
    }
}
