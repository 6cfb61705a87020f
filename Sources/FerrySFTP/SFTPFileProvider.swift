public import FerryCore
public import Foundation
import Synchronization

/// Files on a server that is reached over SSH: SFTP, version 3, with OpenSSH's extensions.
///
/// ```swift
/// let files = try SFTPFileProvider(baseURL: URL(string: "sftp://alice@example.org/home/alice")!)
/// for item in try await files.contentsOfDirectory(path: "/") { print(item.name) }
/// ```
///
/// The line is the system's own `ssh`: so hosts, keys, agents, jump hosts and known hosts are those of the person's
/// `~/.ssh/config`. One login serves all requests, of which many are under way at the same time.
///
/// Names of any bytes come and go unchanged. Symbolic links are the server's: it follows them wherever they lead.
public final class SFTPFileProvider: Sendable {
    /// `sftp`.
    public static let type = "sftp"

    /// The base folder's URL, without user and password; a path that begins with `/~` begins at the user's own folder.
    public let baseURL: URL?

    /// The account there; `nil` if `ssh` decides that.
    public let credential: FileProviderCredential?

    /// Queues, delegates and logger of this provider.
    public let environment: FileProviderEnvironment

    let options: SFTPOptions
    let session: SFTPSession

    /// The clock to wait on before something is tried again.
    let clock: any Clock<Duration>

    private let basePath: SFTPPath
    private let resolvedBase = Mutex<SFTPPath?>(nil)
    let accountNames = SFTPKnownAccounts()

    #if os(Linux) || os(macOS)
    /// Makes a provider; nothing is started until it is used.
    ///
    /// - Parameters:
    ///   - baseURL: The folder that is the provider's root, of `sftp`; without a path, the one that a login starts in. A user
    ///     in it counts where the credential has none; a password in it is dropped.
    ///   - credential: The user's account there. Its password answers when `ssh` asks for one (with key files, for a
    ///     passphrase); a token is a private key as PEM.
    ///   - options: How the server is reached.
    ///   - person: The person who answers what nobody else can: an unknown server's key, a password that is not given.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `URLError.unsupportedURL` for anything but a URL of `sftp`.
    public convenience init(
        baseURL: URL,
        credential: FileProviderCredential? = nil,
        options: SFTPOptions = SFTPOptions(),
        asking person: (any LoginQuestionAnswering)? = nil,
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        let user = credential?.user ?? baseURL.user(percentEncoded: false)
        guard let target = SSHTarget(baseURL, user: user) else { throw Self.unsupported(baseURL) }
        let opener = SSHChannelOpener(
            target: target,
            options: options,
            secrets: SSHSecrets(credential, hasKeyFiles: !options.keyFiles.isEmpty, person: person),
            logger: environment.logger
        )
        let session = SFTPSession(
            opener: opener,
            patience: options.timeout,
            maximumConnections: options.connections
        )
        try self.init(
            baseURL: baseURL,
            credential: credential,
            options: options,
            session: session,
            environment: environment
        )
    }
    #endif

    /// Makes a provider on lines that may serve others, too.
    init(
        baseURL: URL,
        credential: FileProviderCredential?,
        options: SFTPOptions = SFTPOptions(),
        session: SFTPSession,
        environment: FileProviderEnvironment = FileProviderEnvironment(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        guard baseURL.scheme?.lowercased() == "sftp",
            var parts = URLComponents(url: baseURL.withoutUserInfo, resolvingAgainstBaseURL: true)
        else { throw Self.unsupported(baseURL) }
        if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/~" }
        guard let url = parts.url else { throw Self.unsupported(baseURL) }
        self.baseURL = url
        let user = credential?.user ?? baseURL.user(percentEncoded: false)
        self.credential = credential ?? user.map { FileProviderCredential(user: $0) }
        self.options = options
        self.session = session
        self.environment = environment
        self.clock = clock
        let names = ItemPath(url: url, relativeTo: url.top).map(\.components) ?? []
        basePath = names.reduce(SFTPPath("/".utf8)) { $0.appending(NameEscape.bytes(ofName: $1)) }
    }

    private static func unsupported(_ url: URL) -> URLError {
        .answer(
            .unsupportedURL,
            description: "not a URL of an SFTP server",
            suggestion: "write sftp://user@host/folder",
            url: url.withoutUserInfo
        )
    }

    /// A line, and where the base folder is on it.
    ///
    /// - Throws: Why there is no line, as a caller sees it.
    func line() async throws -> SFTPLine {
        do {
            let connection = try await session.connection()
            return SFTPLine(
                connection: connection,
                facts: try await session.facts(),
                base: try await base(on: connection)
            )
        } catch {
            throw Self.lineError(error)
        }
    }

    /// Further lines to the same files.
    func lines(_ count: Int, like line: SFTPLine) async throws -> [SFTPConnection] {
        do {
            let others = try await session.connections(count).filter { $0 !== line.connection }
            return [line.connection] + others
        } catch {
            throw Self.lineError(error)
        }
    }

    private func base(on connection: SFTPConnection) async throws -> SFTPPath {
        if let base = resolvedBase.withLock({ $0 }) { return base }
        let facts = try await session.facts()
        let base = try await SFTPHome(facts: facts).expanded(basePath, on: connection)
        resolvedBase.withLock { $0 = base }
        return base
    }
}

extension URL {
    /// The same server's top.
    fileprivate var top: URL {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        parts?.percentEncodedPath = "/"
        return parts?.url ?? self
    }
}

extension SFTPFileProvider: FileProviderBasicRemote {
    /// The lines.
    public var transport: some Sendable { session }

    /// Nothing remembers answers.
    public var cache: Never? { nil }

    /// Ends all lines; what is under way, and what comes later, throws `CancellationError`.
    public func invalidate() async { await session.invalidate() }

    /// The server's abilities, as far as it has been asked; before, those of OpenSSH's.
    public var capabilities: FileProviderCapabilities {
        let facts = session.knownFacts
        var capabilities = FileProviderCapabilities()
        capabilities.readsRanges = true
        capabilities.copiesOnServer = true
        capabilities.writesAtomically = facts?.has(.posixRename) ?? true
        capabilities.createsExclusively = facts?.has(.hardlink) ?? true
        capabilities.setsModifiedDate = true
        capabilities.datePrecision = .seconds(1)
        // Seconds since 1970 in 32 bits (draft-ietf-secsh-filexfer-02, section 5): until 2106.
        capabilities.settableDates =
            Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: Double(UInt32.max))
        capabilities.eTagsShowContents = false
        capabilities.maximumNameLength = facts?.maximumNameLength
        capabilities.forbiddenCharacters = "/\0"
        capabilities.recommendedConcurrency = 16
        return capabilities
    }
}
