public import FerryCore
import Foundation

#if os(Linux) || os(macOS)
extension SFTPFileProvider: RestorableFileProvider {
    /// The description from which this provider is made again: where it is, who we are there, and how it is reached.
    public var configuration: ProviderConfiguration {
        ProviderConfiguration(type: Self.type, baseURL: baseURL, user: credential?.user, options: options.dictionary)
    }

    /// Makes a provider that asks nobody.
    ///
    /// - Parameters:
    ///   - configuration: From ``configuration``, in this process or another. The options are `ssh` (the program),
    ///     `ssh-config`, `fingerprint`, `key-file`, `known-hosts`, `connections`, `path-override`, `chmod` and `chown`.
    ///   - credentials: Where the password, the key files' passphrase or the private key is.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.coderInvalidValue` when the configuration is of another type, has no URL, or an option a value
    ///   that can't be; what keeps the secret from being read.
    public convenience init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment
    ) async throws {
        try await self.init(
            configuration: configuration,
            credentials: credentials,
            asking: nil,
            environment: environment
        )
    }

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - configuration: From ``configuration``, in this process or another.
    ///   - credentials: Where the password, the key files' passphrase or the private key is.
    ///   - person: The person, who answers questions that nobody else can.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: As ``init(configuration:credentials:environment:)``.
    public convenience init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        asking person: (any LoginQuestionAnswering)?,
        environment: FileProviderEnvironment
    ) async throws {
        let url = try configuration.url(of: Self.type, "an SFTP server")
        try self.init(
            baseURL: url,
            credential: try await configuration.credential(in: credentials),
            options: try SFTPOptions(configuration.options),
            asking: person,
            environment: environment
        )
    }
}
#endif
