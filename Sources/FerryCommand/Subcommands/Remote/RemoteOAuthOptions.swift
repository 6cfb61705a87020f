import ArgumentParser
import FerryCore
import FerryHTTP
import Foundation

/// The options of `ferry remote add --auth oauth2` about the authorization server.
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
    /// - Parameter login: The endpoints that the kind of storage fixes.
    /// - Throws: `ValidationError` that says what is missing.
    func requireComplete(_ login: StorageOAuth2) throws {
        guard tokenURL != nil || login.tokenURL != nil, clientID != nil else {
            throw ValidationError(
                "a login by OAuth 2 wants " + (login.tokenURL == nil ? "--token-url and " : "") + "--client-id"
            )
        }
        guard authorizationURL ?? deviceURL != nil || login.authorizationURL ?? login.deviceURL != nil else {
            throw ValidationError("a login by OAuth 2 wants --authorization-url or --device-url")
        }
    }

    /// Returns the options of a remote's configuration that these stand for.
    ///
    /// - Parameter login: The endpoints that the kind of storage fixes; they are not written down.
    /// - Returns: The options.
    /// - Throws: `ValidationError` when something is missing, `CocoaError` for a text that is no URL.
    func options(_ login: StorageOAuth2) throws -> [String: String] {
        try requireComplete(login)
        var options: [String: String] = [:]
        if let selector = login.selector { options[selector.option] = selector.value }
        for (name, text) in [
            ("authorization-url", authorizationURL), ("token-url", tokenURL), ("device-url", deviceURL),
        ] {
            options[login.option(name)] = try text.map { try Self.url($0).absoluteString }
        }
        options[login.option("client-id")] = clientID
        options[login.option("scopes")] = scopes.isEmpty ? nil : scopes.joined(separator: " ")
        return options
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
