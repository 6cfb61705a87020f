public import FerryCore
public import Foundation

/// Files on an FTP server, with TLS or without (RFC 959, 2228, 2389, 2428, 3659, 4217).
///
/// ```swift
/// let files = try FTPFileProvider(
///     baseURL: URL(string: "ftp://example.org/site/")!,
///     credential: FileProviderCredential(user: "ferry", secret: .password(password)),
///     security: .explicit
/// )
/// for item in try await files.contentsOfDirectory(path: "/") { print(item.name) }
/// ```
///
/// libcurl speaks to the server; it is loaded with the first call. Servers differ a lot, and ``capabilities`` say what
/// this one can be relied on to do once it was asked: with the first call, or ``discover()``.
public final class FTPFileProvider: FileProviderBasicRemote {
    /// `ftp`.
    public static let type = "ftp"

    /// The folder that is the provider's root, without user or password.
    public let baseURL: URL?

    /// The account there.
    public let credential: FileProviderCredential?

    /// Queues, delegates and logger.
    public let environment: FileProviderEnvironment

    /// The connections.
    let pool: FTPConnectionPool

    /// The other settings in a configuration of this provider.
    let options: FTPOptions

    /// Makes a provider; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - baseURL: The folder that is the provider's root, of `ftp` or `ftps`; user and password in it are dropped. Its
    ///     path begins in the folder in which a login begins, unless it begins with `//` or `/%2F`.
    ///   - credential: The user's account there, with the password; `nil` to log in as `anonymous`.
    ///   - security: How connections are protected; by default `ftp` says not at all, and `ftps` from the first byte at
    ///     port 990 or without a port, and from `AUTH TLS` on at any other.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `URLError.unsupportedURL` for anything but a URL of a folder on an FTP server.
    public convenience init(
        baseURL: URL,
        credential: FileProviderCredential?,
        security: FTPSecurity? = nil,
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        var options = FTPOptions()
        options.security = security
        try self.init(baseURL: baseURL, credential: credential, options: options, environment: environment)
    }

    /// Makes a provider; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - baseURL: The folder that is the provider's root, as in ``init(baseURL:credential:security:environment:)``.
    ///   - credential: The user's account there, with the password; `nil` to log in as `anonymous`, or with
    ///     `readsNetrc` by what `~/.netrc` says.
    ///   - options: How the server is reached: protection, active mode, certificates, encoding of names.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `URLError.unsupportedURL` for anything but a URL of a folder on an FTP server.
    public convenience init(
        baseURL: URL,
        credential: FileProviderCredential?,
        options: FTPOptions,
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        try self.init(
            baseURL: baseURL,
            credential: credential,
            options: options,
            environment: environment,
            clock: ContinuousClock()
        )
    }

    /// Makes a provider that waits on somebody else's clock.
    package init(
        baseURL: URL,
        credential: FileProviderCredential?,
        options: FTPOptions,
        environment: FileProviderEnvironment = FileProviderEnvironment(),
        clock: any Clock<Duration>
    ) throws {
        let address = try FTPAddress(baseURL, security: options.security)
        self.baseURL = baseURL.withoutUserInfo
        self.credential = credential.map { FileProviderCredential(user: $0.user) }
        self.environment = environment
        self.options = options
        pool = FTPConnectionPool(
            FTPServer(address, credential: credential, options: options, logger: environment.logger),
            clock: clock
        )
    }

    deinit { pool.invalidate() }
}

extension FTPFileProvider {
    /// The connections' kind.
    public var transport: FTPSecurity { server.address.security }

    /// None: every question is asked anew.
    public var cache: Never? { nil }

    /// Ends all work that is under way, and closes all connections.
    public func invalidate() async { pool.invalidate() }

    /// The server, with the known facts about it.
    var server: FTPServer { pool.server }

    /// Asks the server what it can do, if nobody has yet.
    ///
    /// - Throws: Errors of the connection and of the login.
    public func discover() async throws {
        guard !server.known.isKnown else { return }
        try await call(.root) { _ in }
    }

    /// Does something on a connection; what fails gets the errors that all providers have.
    ///
    /// - Parameters:
    ///   - path: The item that it is about.
    ///   - isWriting: `true` if it changes something; then it is repeated only if it was not begun.
    ///   - progress: Cancelling it ends the work.
    ///   - mayRepeat: Returns `true` if nothing of it was passed on yet.
    ///   - body: Blocking calls.
    /// - Returns: The value that the body returns.
    /// - Throws: Errors of Foundation's.
    func call<Result: Sendable>(
        _ path: ItemPath,
        isWriting: Bool = false,
        reporting progress: Progress? = nil,
        mayRepeat: @escaping @Sendable () -> Bool = { true },
        _ body: @escaping @Sendable (FTPSession) throws -> Result
    ) async throws -> Result {
        do {
            return try await withCancellation(by: progress) { [pool] in
                try await pool.run(isQuestion: !isWriting, mayRepeat: mayRepeat, body)
            }
        } catch let failure as FTPFailure {
            throw failure.mapped(path: path, isWriting: isWriting, at: server.address)
        }
    }
}

extension FTPFileProvider: FileProviderLearning {
    /// Asks, once.
    package func learnAboutServer() async throws { try await discover() }
}
