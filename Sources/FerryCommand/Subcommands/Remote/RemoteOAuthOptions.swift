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

    /// The names of the options that were given, without the prefix of their kind.
    var names: Set<String> {
        let texts = [
            ("authorization-url", authorizationURL), ("token-url", tokenURL), ("device-url", deviceURL),
            ("client-id", clientID), ("scopes", scopes.first),
        ]
        return Set(texts.filter { $0.1?.isEmpty == false }.map(\.0))
    }

    /// Adds the options that these stand for to those of a remote's configuration.
    ///
    /// - Parameters:
    ///   - options: The options that were given otherwise.
    ///   - login: The endpoints that the kind of storage fixes; they are not written down.
    /// - Returns: All options.
    /// - Throws: `ValidationError` when something is missing, `CocoaError` for a text that is no URL.
    func adding(to options: [String: String], _ login: StorageOAuth2) throws -> [String: String] {
        var options = options
        if let selector = login.selector { options[selector.option] = selector.value }
        for (name, text) in [
            ("authorization-url", authorizationURL), ("token-url", tokenURL), ("device-url", deviceURL),
        ] {
            if let text { options[login.option(name)] = try Self.url(text).absoluteString }
        }
        if let clientID { options[login.option("client-id")] = clientID }
        if !scopes.isEmpty { options[login.option("scopes")] = scopes.joined(separator: " ") }
        try Self.requireComplete(options, login)
        return options
    }

    /// Makes sure that nothing is missing, however it was given.
    private static func requireComplete(_ options: [String: String], _ login: StorageOAuth2) throws {
        func has(_ name: String) -> Bool { options[login.option(name)]?.isEmpty == false }
        guard has("token-url") || login.tokenURL != nil, has("client-id") else {
            throw ValidationError(
                "a login by OAuth 2 wants " + (login.tokenURL == nil ? "--token-url and " : "") + "--client-id"
            )
        }
        guard has("authorization-url") || has("device-url") || login.authorizationURL ?? login.deviceURL != nil else {
            throw ValidationError("a login by OAuth 2 wants --authorization-url or --device-url")
        }
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
    /// - Parameter clientID: The app's name at the server; `nil` if it is not known.
    /// - Returns: The secret, asked for at a terminal, else the first line of the input; `nil` if it has none.
    /// - Throws: `CocoaError` for an empty one; `CancellationError`.
    func clientSecret(of clientID: String?) async throws -> FileProviderCredential? {
        guard clientSecretStdin else { return nil }
        let asked = isatty(STDIN_FILENO) == 1 ? try await PasswordSource.ask("The app's secret: ") : nil
        let secret: String
        if let asked { secret = asked } else { secret = try await PasswordSource.fromStandardInput() }
        return FileProviderCredential(user: clientID, secret: .password(secret))
    }
}
