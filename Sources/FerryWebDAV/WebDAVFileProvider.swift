public import FerryCore
public import FerryHTTP
public import Foundation

/// Files on a WebDAV server (RFC 4918): Apache, nginx, lighttpd, and whatever else speaks it.
///
/// ```swift
/// let files = try WebDAVFileProvider(
///     baseURL: URL(string: "https://example.org/dav/")!,
///     credential: FileProviderCredential(user: "ferry", secret: .password(password))
/// )
/// for item in try await files.contentsOfDirectory(path: "/") { print(item.name) }
/// ```
///
/// Servers differ a lot. Before the first change the server is asked what it is, and `capabilities` then say what it
/// can be relied on to do; ask at once with ``WebDAVProvider/discover(probing:)``.
public final class WebDAVFileProvider: WebDAVProvider {
    /// `webdav`.
    public static let type = "webdav"

    /// The connection to the server.
    public let connection: WebDAVConnection

    /// The account there.
    public let credential: FileProviderCredential?

    /// The other settings in a configuration of this provider.
    let options: WebDAVOptions

    /// Makes a provider; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - baseURL: The folder that is the provider's root, of `http` or `https`; user and password in it are dropped.
    ///   - credential: The user's account there, with the secret.
    ///   - authentication: How a password is proved.
    ///   - transport: The transport that carries the requests; the provider ends it.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `URLError.unsupportedURL` for anything but a URL of a folder on a web server.
    public convenience init(
        baseURL: URL,
        credential: FileProviderCredential?,
        authentication: PasswordScheme = .automatic,
        transport: any HTTPTransport = NIOTransport(),
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        var options = WebDAVOptions()
        options.scheme = authentication
        try self.init(
            baseURL: baseURL,
            credential: credential,
            options: options,
            transport: transport,
            environment: environment
        )
    }

    /// Makes a provider; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - baseURL: The folder that is the provider's root, of `http` or `https`; user and password in it are dropped.
    ///   - credential: The user's account there, with the secret.
    ///   - options: The other settings for the server.
    ///   - authenticator: The authenticator that proves who we are; `nil` for one that fits the credential.
    ///   - transport: The transport that carries the requests.
    ///   - environment: Queues, delegates and logger.
    ///   - clock: The clock to wait on before something is tried again.
    /// - Throws: `URLError.unsupportedURL` for anything but a URL of a folder on a web server.
    package init(
        baseURL: URL,
        credential: FileProviderCredential?,
        options: WebDAVOptions,
        authenticator: (any HTTPAuthenticator)? = nil,
        transport: any HTTPTransport,
        environment: FileProviderEnvironment,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        let session = HTTPSession(
            transport: transport,
            origins: HTTPOrigin(baseURL).map { [$0] } ?? [],
            authenticator: authenticator
                ?? credential.flatMap { Self.authenticator(for: $0, options.scheme, at: baseURL) },
            logger: environment.logger,
            clock: clock
        )
        self.connection = try WebDAVConnection(
            baseURL: baseURL,
            session: session,
            environment: environment,
            clock: clock
        )
        if let tried = options.tried { connection.learn { $0.tried = tried } }
        // Somebody is logged in, though nobody knows who.
        self.credential = credential?.shown ?? authenticator.map { _ in FileProviderCredential(user: nil) }
        self.options = options
    }
}

extension WebDAVFileProvider {
    private static let sha1 = WebDAVPropertyName("sha1hex", namespace: "ME:")

    private static func authenticator(
        for credential: FileProviderCredential,
        _ scheme: PasswordScheme,
        at url: URL
    ) -> (any HTTPAuthenticator)? {
        // <https://yandex.com/dev/disk/doc/en/reference/put>: `Authorization: OAuth …`.
        if case .token(let token)? = credential.secret,
            WebDAVServerKind.service(at: url.host()?.lowercased() ?? "") == .yandex
        {
            return BearerAuthenticator(token: token, scheme: "OAuth")
        }
        return PasswordAuthenticator.authenticator(for: credential, scheme: scheme)
    }

    /// The media type and the checksum, where the service is known to keep them.
    public var additionalProperties: [WebDAVPropertyName] {
        let traits = connection.knownTraits
        return (traits.keepsContentTypes ? [.contentType] : []) + (traits.tellsSHA1 ? [Self.sha1] : [])
    }

    /// Adds the checksum.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - properties: All that the server told.
    public func complete(_ item: inout FileObject, with properties: WebDAVProperties) {
        guard !item.isDirectory, let sum = properties[Self.sha1]?.text, !sum.isEmpty else { return }
        item.extras[.checksums] = [.sha1: sum.lowercased()]
    }
}

extension WebDAVFileProvider: FileProviderLocking {}
extension WebDAVFileProvider: FileProviderWholeReading {}
