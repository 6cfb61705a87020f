public import FerryCore
public import FerryHTTP
public import Foundation
import Synchronization

/// Files in an account at Dropbox (API v2).
///
/// ```swift
/// let files = try DropboxFileProvider(token: token)
/// for item in try await files.contentsOfDirectory(path: "/") { print(item.name) }
/// ```
///
/// A token that is renewed comes out of a `CredentialStore`, with
/// ``init(configuration:credentials:environment:uploadsFolder:)``. Tokens go to the stated addresses only, never to a
/// temporary link.
public final class DropboxFileProvider: HTTPBackedFileProvider {
    /// `dropbox`.
    public static let type = "dropbox"

    /// The folder that paths begin at: another one for each root, since the same path is another item there.
    public let baseURL: URL?

    /// The account, without its secret.
    public let credential: FileProviderCredential?

    /// Queues, delegates and logger.
    public let environment: FileProviderEnvironment

    /// The address that the configuration had.
    let writtenURL: URL?

    /// The options of the account.
    let options: DropboxOptions

    let connection: DropboxConnection

    /// The store of uploads that are under way.
    let uploads: any UploadSessionStore

    /// Items that answers have told of.
    let seen = DropboxSeenItems()

    /// Folders that were there a moment ago.
    let folders: FolderMemory

    /// The digests of blocks of uploads in parts that this process has begun, by session.
    let sentBlocks = Mutex<[String: ContentBlocks]>([:])

    /// The contents of folders that this process has put into the trash, by their paths.
    let trashedTrees = Mutex<[String: [TrashedContent]]>([:])

    /// Entries that a page of a listing has at most.
    let pageSize: Int

    /// Makes a provider with a token that does not change; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - token: An access token.
    ///   - options: How the account is reached.
    ///   - transport: The transport that carries the requests; the provider ends it.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `URLError.unsupportedURL` for an address that is none of a server.
    public convenience init(
        token: String,
        options: DropboxOptions = DropboxOptions(),
        transport: any HTTPTransport = NIOTransport(),
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        try self.init(
            options: options,
            credential: FileProviderCredential(user: nil, secret: .token(token)),
            authenticator: BearerAuthenticator(token: token),
            transport: transport,
            environment: environment
        )
    }

    /// Makes a provider; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - options: How the account is reached.
    ///   - credential: The account.
    ///   - authenticator: The proof of who we are.
    ///   - transport: The transport that carries the requests; the provider ends it.
    ///   - environment: Queues, delegates and logger.
    ///   - uploads: Where uploads that are under way are remembered.
    ///   - writtenURL: The address that the configuration had.
    ///   - pageSize: Entries that a page of a listing has at most, 2,000 at most.
    ///   - retryPolicy: How often and when requests are repeated.
    ///   - clock: The clock that waits.
    ///   - now: The time of day.
    /// - Throws: `URLError.unsupportedURL` for an address that is none of a server.
    package init(
        options: DropboxOptions,
        credential: FileProviderCredential?,
        authenticator: (any HTTPAuthenticator)?,
        transport: any HTTPTransport,
        environment: FileProviderEnvironment,
        uploads: any UploadSessionStore = MemoryUploadSessionStore(),
        writtenURL: URL? = nil,
        pageSize: Int = 2_000,
        retryPolicy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        connection = try DropboxConnection(
            options: options,
            authenticator: authenticator,
            transport: transport,
            environment: environment,
            retryPolicy: retryPolicy,
            clock: clock,
            now: now
        )
        baseURL = options.pathRoot.page
        folders = FolderMemory(now: now)
        self.options = options
        self.credential = credential?.shown
        self.environment = environment
        self.uploads = uploads
        self.writtenURL = writtenURL
        self.pageSize = pageSize
    }

    /// Makes a provider of a shared folder, which uses the session of the account.
    ///
    /// - Parameters:
    ///   - account: The account; it ends the session.
    ///   - namespace: The namespace of the folder, at which paths begin.
    init(_ account: DropboxFileProvider, namespace: String) {
        connection = DropboxConnection(account.connection, namespace: namespace)
        folders = FolderMemory(now: connection.now)
        var options = account.options
        options.pathRoot = .namespace(namespace)
        self.options = options
        baseURL = options.pathRoot.page
        (credential, environment) = (account.credential, account.environment)
        (uploads, writtenURL, pageSize) = (account.uploads, account.writtenURL, account.pageSize)
    }

    /// The session that requests go through.
    public var transport: HTTPSession { connection.session }

    /// The policy for repeating requests.
    public var retryPolicy: RetryPolicy { connection.retryPolicy }

    /// The abilities of Dropbox.
    public var capabilities: FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.readsRanges = true
        capabilities.copiesOnServer = true
        capabilities.writesAtomically = true
        capabilities.createsExclusively = true
        capabilities.writesConditionally = true
        capabilities.setsModifiedDate = true
        capabilities.settableDates = DropboxDate.settable
        capabilities.datePrecision = .seconds(1)
        capabilities.comparesWrites = true
        capabilities.checksumKinds = [.dropbox]
        capabilities.isCaseSensitive = false
        capabilities.distinguishesNormalizationForms = false
        capabilities.maximumNameLength = 255
        capabilities.maximumFileSize = DropboxUploadDriver.largestFile
        capabilities.addressesByIdentifier = true
        capabilities.recommendedConcurrency = 6
        // Only the process that removed a folder knows for certain all that was in it.
        capabilities.restoresTrashedFolders = false
        capabilities.versionsOutliveFiles = true
        return capabilities
    }
}
