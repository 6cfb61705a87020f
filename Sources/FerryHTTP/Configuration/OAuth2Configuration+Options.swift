package import FerryCore
import Foundation
package import Logging

extension StorageOAuth2 {
    private static let authorizationName = "authorization-url"
    private static let tokenName = "token-url"
    private static let deviceName = "device-url"
    private static let clientName = "client-id"
    private static let scopesName = "scopes"
    private static let portName = "redirect-port"

    /// The options that name the endpoints and the app, as a ``StorageKind`` lists them.
    package var storageOptions: [StorageOption] {
        [
            StorageOption(
                option(Self.authorizationName),
                "OAuth 2: page where a browser logs in",
                value: .url,
                default: authorizationURL?.absoluteString
            ),
            StorageOption(
                option(Self.tokenName),
                "OAuth 2: endpoint that issues tokens",
                value: .url,
                default: tokenURL?.absoluteString
            ),
            StorageOption(
                option(Self.deviceName),
                "OAuth 2: endpoint where a login on another device begins",
                value: .url,
                default: deviceURL?.absoluteString
            ),
            StorageOption(option(Self.clientName), "OAuth 2: name of your app at the server").decidingAccount(),
            StorageOption(
                option(Self.scopesName),
                "OAuth 2: permissions to ask for, with spaces between them",
                default: scopes.isEmpty ? nil : scopes.joined(separator: " ")
            ),
        ]
    }

    /// Reads the options of a configuration.
    ///
    /// - Parameter options: The options.
    /// - Returns: The endpoints and the app; `nil` if the configuration logs in otherwise, or lacks the app or the endpoint
    ///   of tokens.
    package func configuration(_ options: [String: String]) -> OAuth2Configuration? {
        func url(_ name: String, _ fallback: URL?) -> URL? {
            guard let text = options[option(name)] else { return fallback }
            // A code or a token goes there: only by TLS, or on this machine.
            guard let url = URL(written: text), let origin = HTTPOrigin(url),
                origin.scheme == "https" || origin.isLoopback
            else { return nil }
            return url
        }
        guard isChosen(by: options), let tokenURL = url(Self.tokenName, tokenURL),
            let clientID = options[option(Self.clientName)]
        else { return nil }
        var configuration = OAuth2Configuration(
            authorizationURL: url(Self.authorizationName, authorizationURL),
            tokenURL: tokenURL,
            deviceAuthorizationURL: url(Self.deviceName, deviceURL),
            clientID: clientID,
            scopes: options[option(Self.scopesName)]?.split(separator: " ").map(String.init) ?? scopes,
            extraParameters: parameters
        )
        configuration.redirectPort = options[option(Self.portName)].flatMap { UInt16($0) } ?? redirectPort
        configuration.redirectHost = redirectHost
        configuration.showsCode = showsCode
        return configuration
    }

    /// Returns the options that stand for a configuration: all of it but the app's secret.
    ///
    /// - Parameter configuration: The endpoints and the app.
    /// - Returns: The options.
    package func options(_ configuration: OAuth2Configuration) -> [String: String] {
        var options: [String: String] = [:]
        if let selector { options[selector.option] = selector.value }
        options[option(Self.authorizationName)] = configuration.authorizationURL?.absoluteString
        options[option(Self.tokenName)] = configuration.tokenURL.absoluteString
        options[option(Self.deviceName)] = configuration.deviceAuthorizationURL?.absoluteString
        options[option(Self.clientName)] = configuration.clientID
        let scopes = configuration.scopes
        options[option(Self.scopesName)] = scopes.isEmpty ? nil : scopes.joined(separator: " ")
        return options
    }

    /// Makes the client that gets tokens.
    ///
    /// - Parameters:
    ///   - configuration: The storage's configuration.
    ///   - credentials: The store with the app's secret, if it has one.
    ///   - transport: Carries the requests; it is not ended by the client.
    ///   - logger: The log.
    /// - Returns: The client; `nil` if the configuration logs in otherwise.
    /// - Throws: `CocoaError.coderInvalidValue` for a configuration that lacks something; errors of the store.
    package func client(
        for configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        transport: any HTTPTransport,
        logger: Logger
    ) async throws -> OAuth2Client? {
        guard isChosen(by: configuration.options) else { return nil }
        guard var oauth = self.configuration(configuration.options) else {
            throw CocoaError(
                .coderInvalidValue,
                userInfo: [
                    NSLocalizedDescriptionKey: "The configuration does not say where to get a token, and as which app.",
                    NSLocalizedFailureReasonErrorKey: "it does not say where to get a token, and as which app",
                    NSLocalizedRecoverySuggestionErrorKey: "set the options '\(option(Self.clientName))' and "
                        + "'\(option(Self.tokenName))', or log in with a token",
                ]
            )
        }
        if case .password(let secret) = try await credentials.credential(for: configuration.oauthClientAccount)?.secret
        {
            oauth.clientSecret = secret
        }
        return OAuth2Client(configuration: oauth, transport: transport, logger: logger)
    }
}

extension ProviderConfiguration {
    /// The account under which a ``CredentialStore`` keeps the secret of the app that gets the tokens.
    package var oauthClientAccount: String { "\(account) oauth-client" }
}
