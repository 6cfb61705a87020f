public import FerryCore
import Foundation

extension FTPFileProvider: RestorableFileProvider {
    /// The description from which this provider is made again: where it is, who we are there, and the options.
    public var configuration: ProviderConfiguration {
        ProviderConfiguration(
            type: Self.type,
            baseURL: baseURL,
            user: credential?.user,
            options: options.dictionary
        )
    }

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - configuration: From ``configuration``, in this process or another. Options: `tls` is `explicit`, `implicit` or
    ///     `none`; `encoding` is how the server writes names; `active` lets it connect to us; `connections` are as many at
    ///     the same time, at most; `disable-mlsd`, `disable-epsv`, `list-hidden` and `site-rmdir` are `true` or `false`;
    ///     `tls-max` is `1.2` or `1.3`; `netrc` is `true` to look for a login in `~/.netrc`; `certificate-authority`,
    ///     `client-certificate` and `client-key` are files; `proxy` is a URL of `http` or `socks5h`; `timeout` is as many
    ///     seconds as a server may be silent, 60 by default.
    ///   - credentials: Where the password is.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.coderInvalidValue` when the configuration is of another type, has no URL or an option that
    ///   makes no sense; what keeps the secret from being read.
    public convenience init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment
    ) async throws {
        let url = try configuration.url(of: Self.type, "an FTP server")
        try self.init(
            baseURL: url,
            credential: try await configuration.credential(in: credentials),
            options: try FTPOptions(configuration.options),
            environment: environment
        )
    }
}
