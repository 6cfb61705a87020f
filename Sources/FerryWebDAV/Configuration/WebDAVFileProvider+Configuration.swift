public import FerryCore
import FerryHTTP
import Foundation

extension WebDAVFileProvider: RestorableFileProvider {
    /// The description from which this provider is made again: where it is, who we are there, whom to trust, and what
    /// the server was found to do when it was tried out.
    public var configuration: ProviderConfiguration {
        var options = options
        let facts = connection.facts
        if facts.isTried { options.tried = facts.tried }
        return ProviderConfiguration(
            type: Self.type,
            baseURL: baseURL,
            user: credential?.user,
            options: options.dictionary
        )
    }

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - configuration: From ``configuration``, in this process or another. The option `certificate-authority` is the
    ///     path of a file with certificates, in PEM, of authorities that are trusted beside the system's;
    ///     `timeout` is how long the server may be silent, in seconds; `client-certificate` and `client-key` are those of our own; `authentication` is `basic`, `digest`, or `oauth2`
    ///     with `oauth-token-url`, `oauth-client-id` and, for logins, `oauth-authorization-url`, `oauth-device-url` and
    ///     `oauth-scopes`. Renewed tokens are put into `credentials` before they are used. `tried` is
    ///     what ``WebDAVProvider/discover(probing:)`` has found. `proxy` is `environment` to go through the proxies that
    ///     `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` name.
    ///   - credentials: Where the password or token is.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.coderInvalidValue` when the configuration is of another type or has no URL; what keeps the
    ///   secret or the certificates from being read.
    public convenience init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment
    ) async throws {
        let url = try configuration.url(of: Self.type, "a WebDAV server")
        let credential = try await configuration.credential(in: credentials)
        let options = WebDAVOptions(configuration.options)
        let transport = try options.http.makeTransport(environment.waits)
        let client = try await WebDAVOptions.oauth2.client(
            for: configuration,
            credentials: credentials,
            transport: transport,
            logger: environment.logger
        )
        try self.init(
            baseURL: url,
            credential: credential,
            options: options,
            authenticator: credential.isFixedToken
                ? nil
                : client.map {
                    OAuth2Authenticator(
                        client: $0,
                        store: credentials,
                        account: configuration.account,
                        logger: environment.logger
                    )
                },
            transport: transport,
            environment: environment
        )
    }
}

extension FileProviderCredential? {
    /// Indicates whether it is a token that nobody renews.
    fileprivate var isFixedToken: Bool {
        if case .token = self?.secret { true } else { false }
    }
}
