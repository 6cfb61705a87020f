import ArgumentParser
import FerryCore
import FerryHTTP
import FerryWebDAV
import Foundation

/// What `ferry remote add --auth oauth2` wants to know of the authorization server.
struct RemoteOAuthOptions: ParsableArguments {
    @Option(help: "OAuth 2: where a browser logs in.")
    var authorizationURL: String?

    @Option(help: "OAuth 2: where tokens are to be had.")
    var tokenURL: String?

    @Option(help: "OAuth 2: where a login on another device begins.")
    var deviceURL: String?

    @Option(help: "OAuth 2: what the app is called there.")
    var clientID: String?

    @Option(name: .customLong("scope"), help: "OAuth 2: what is asked for; may be given again.")
    var scopes: [String] = []

    @Flag(help: "OAuth 2: read the app's secret from the standard input.")
    var clientSecretStdin = false

    /// Indicates whether nothing was given.
    var isEmpty: Bool {
        [authorizationURL, tokenURL, deviceURL, clientID].allSatisfy { $0 == nil } && scopes.isEmpty
            && !clientSecretStdin
    }

    /// Makes sure that nothing is missing.
    ///
    /// - Returns: Where tokens are to be had, and what the app is called.
    /// - Throws: `ValidationError` that says what is missing.
    @discardableResult
    func requireComplete() throws -> (tokenURL: String, clientID: String) {
        guard let tokenURL, let clientID else {
            throw ValidationError("--auth oauth2 wants --token-url and --client-id")
        }
        guard authorizationURL != nil || deviceURL != nil else {
            throw ValidationError("--auth oauth2 wants --authorization-url or --device-url")
        }
        return (tokenURL, clientID)
    }

    /// Returns what a remote's configuration says of it.
    ///
    /// - Returns: The options.
    /// - Throws: `ValidationError` when something is missing, `CocoaError` for what is no URL.
    func options() throws -> [String: String] {
        let (tokenURL, clientID) = try requireComplete()
        return OAuth2Configuration(
            authorizationURL: try authorizationURL.map(Self.url),
            tokenURL: try Self.url(tokenURL),
            deviceAuthorizationURL: try deviceURL.map(Self.url),
            clientID: clientID,
            scopes: scopes
        )
        .webDAVOptions
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(written: text), let origin = HTTPOrigin(url), origin.scheme == "https" || origin.isLoopback,
            url.password == nil
        else {
            throw CocoaError.location(text, "not the URL of an authorization server", "write https://host/path")
        }
        return url
    }

    /// The app's secret.
    ///
    /// - Returns: The secret, asked for at a terminal, else the first line of the input; `nil` if it has none.
    /// - Throws: `CocoaError` for an empty one; `CancellationError`.
    func clientSecret() async throws -> FileProviderCredential? {
        guard clientSecretStdin else { return nil }
        let asked = isatty(STDIN_FILENO) == 1 ? try await PasswordSource.ask("The app's secret: ") : nil
        let secret: String
        if let asked { secret = asked } else { secret = try await PasswordSource.fromStandardInput() }
        return FileProviderCredential(user: clientID, secret: .password(secret))
    }
}
