package import FerryCore
package import FerryHTTP
import Foundation
package import Logging

extension OAuth2Configuration {
    /// The value of `authentication` that stands for OAuth 2.
    package static let webDAVScheme = "oauth2"

    private static let authorizationKey = "oauth-authorization-url"
    private static let tokenKey = "oauth-token-url"
    private static let deviceKey = "oauth-device-url"
    private static let clientKey = "oauth-client-id"
    private static let scopesKey = "oauth-scopes"

    /// Reads the options of a configuration.
    ///
    /// - Parameter options: The options; `nil` comes of those that don't say `oauth2`, or lack the app or where tokens are.
    package init?(webDAVOptions options: [String: String]) {
        guard options[WebDAVOptions.authenticationKey] == Self.webDAVScheme,
            let tokenURL = options[Self.tokenKey].flatMap({ URL(written: $0) }), let clientID = options[Self.clientKey]
        else { return nil }
        self.init(
            authorizationURL: options[Self.authorizationKey].flatMap { URL(written: $0) },
            tokenURL: tokenURL,
            deviceAuthorizationURL: options[Self.deviceKey].flatMap { URL(written: $0) },
            clientID: clientID,
            scopes: options[Self.scopesKey]?.split(separator: " ").map(String.init) ?? []
        )
    }

    /// The options as a configuration keeps them: all but the app's secret.
    package var webDAVOptions: [String: String] {
        var options = [WebDAVOptions.authenticationKey: Self.webDAVScheme]
        options[Self.authorizationKey] = authorizationURL?.absoluteString
        options[Self.tokenKey] = tokenURL.absoluteString
        options[Self.deviceKey] = deviceAuthorizationURL?.absoluteString
        options[Self.clientKey] = clientID
        options[Self.scopesKey] = scopes.isEmpty ? nil : scopes.joined(separator: " ")
        return options
    }
}

extension ProviderConfiguration {
    /// Where a ``CredentialStore`` keeps the secret of the app that gets the tokens.
    package var oauthClientAccount: String { "\(account) oauth-client" }

    /// Indicates whether tokens of OAuth 2 are sent instead of a password.
    package var isOAuth2: Bool { options[WebDAVOptions.authenticationKey] == OAuth2Configuration.webDAVScheme }

    /// Makes the authenticator that gets tokens for a WebDAV server.
    ///
    /// - Parameters:
    ///   - credentials: Where the app's secret is, if it has one.
    ///   - transport: What carries the requests; it is not ended by the client.
    ///   - logger: Where to log.
    /// - Returns: The client; `nil` if a password is sent.
    /// - Throws: `CocoaError.coderInvalidValue` for a configuration that lacks something; what the store throws.
    package func oauthClient(
        credentials: any CredentialStore,
        transport: any HTTPTransport,
        logger: Logger
    ) async throws -> OAuth2Client? {
        guard isOAuth2 else { return nil }
        guard var configuration = OAuth2Configuration(webDAVOptions: options) else {
            let words = "The configuration does not say where to get a token, and as which app."
            throw CocoaError(.coderInvalidValue, userInfo: [NSLocalizedDescriptionKey: words])
        }
        if case .password(let secret) = try await credentials.credential(for: oauthClientAccount)?.secret {
            configuration.clientSecret = secret
        }
        return OAuth2Client(configuration: configuration, transport: transport, logger: logger)
    }
}
