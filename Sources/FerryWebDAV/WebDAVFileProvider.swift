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
public final class WebDAVFileProvider: WebDAVProvider {
    /// `webdav`.
    public static let type = "webdav"

    /// What the provider talks to its server through.
    public let connection: WebDAVConnection

    /// Who we are there.
    public let credential: FileProviderCredential?

    /// Makes a provider; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - baseURL: The folder that is the provider's root, of `http` or `https`; user and password in it are dropped.
    ///   - credential: Who we are there, with the secret.
    ///   - transport: What carries the requests; the provider ends it.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `URLError.unsupportedURL` for anything but a URL of a folder on a web server.
    public init(
        baseURL: URL,
        credential: FileProviderCredential?,
        transport: any HTTPTransport = AsyncHTTPClientTransport(),
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        let session = HTTPSession(
            transport: transport,
            authenticator: credential.map { BasicAuthenticator($0) },
            logger: environment.logger
        )
        self.connection = try WebDAVConnection(baseURL: baseURL, session: session, environment: environment)
        self.credential = credential.map { FileProviderCredential(user: $0.user) }
    }
}
