public import FerryCore
import FerryHTTP
public import Foundation

extension OneDriveFileProvider: RestorableFileProvider {
    /// The provider, written down without a secret.
    public var configuration: ProviderConfiguration {
        ProviderConfiguration(
            type: Self.type,
            baseURL: writtenURL,
            user: credential?.user,
            options: options.dictionary
        )
    }

    /// Makes a provider as a configuration says.
    ///
    /// The login is the account's credential in the store: tokens of OAuth 2, which are renewed and saved there, or a
    /// token that does not change. The app's secret, if it has one, is the password of the account ``clientAccount(of:)``.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - credentials: Where the tokens are.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.coderInvalidValue` for options that make no sense; errors of the store.
    public convenience init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment
    ) async throws {
        try await self.init(
            configuration: configuration,
            credentials: credentials,
            environment: environment,
            uploadsFolder: nil
        )
    }

    /// Makes a provider as a configuration says, whose uploads can go on in another process.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - credentials: Where the tokens are.
    ///   - environment: Queues, delegates and logger.
    ///   - uploadsFolder: The folder in which ``copyItem(localFile:to:overwrite:reporting:)`` remembers uploads, so that
    ///     a later process can continue them; a transfer with a journal
    ///     needs it for the addresses of sessions. `nil` to remember both in this process only.
    /// - Throws: `CocoaError.coderInvalidValue` for options that make no sense; errors of the store.
    public convenience init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment,
        uploadsFolder: URL?
    ) async throws {
        try configuration.check(Self.type, "an account at OneDrive")
        let options = try OneDriveOptions(configuration.options)
        let transport = try options.http.makeTransport(environment.waits)
        let login = try await AccountLogin(
            of: configuration,
            in: credentials,
            transport: transport,
            logger: environment.logger
        ) { options.oauth(clientSecret: $0) }
        try self.init(
            options: options,
            credential: login.credential,
            authenticator: login.authenticator,
            transport: transport,
            environment: environment,
            uploads: uploadSessionStore(in: uploadsFolder),
            writtenURL: configuration.baseURL
        )
    }

    /// The account under which the app's secret is in the credential store, as a password.
    ///
    /// - Parameter configuration: The configuration.
    /// - Returns: The account.
    public static func clientAccount(of configuration: ProviderConfiguration) -> String {
        configuration.oauthClientAccount
    }
}
