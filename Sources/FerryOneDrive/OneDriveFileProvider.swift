public import FerryCore
public import FerryHTTP
public import Foundation
import Synchronization

/// Files at OneDrive or in a library of a SharePoint site, by Microsoft Graph (v1.0).
///
/// ```swift
/// let files = try OneDriveFileProvider(token: token)
/// for item in try await files.contentsOfDirectory(path: "/") { print(item.name) }
/// ```
///
/// A token that is renewed comes out of a `CredentialStore`, with
/// ``init(configuration:credentials:environment:uploadsFolder:)``. Tokens go to the API's address only, never to a URL
/// that carries its own permission.
public final class OneDriveFileProvider: HTTPBackedFileProvider {
    /// `onedrive`.
    public static let type = "onedrive"

    /// The drive's page in a browser; `nil` where only the service knows it.
    public let baseURL: URL?

    /// The account, without its secret.
    public let credential: FileProviderCredential?

    /// Queues, delegates and logger.
    public let environment: FileProviderEnvironment

    /// The address that the configuration had.
    let writtenURL: URL?

    /// The options of the account.
    let options: OneDriveOptions

    let connection: GraphConnection

    /// The store of uploads that are under way.
    let uploads: any UploadSessionStore

    /// Files that are written in parts.
    let partialUploads = OneDrivePartialUploads()

    /// Folders that were there a moment ago, and shortcuts to other drives.
    let folders: OneDriveFolderMemory

    /// The drive, as far as it is known.
    let drive: Mutex<OneDriveKnownDrive>

    /// The places at which items were seen, by their identifiers.
    let known = KnownItems()

    /// Files that were listed in order to be read.
    let listed = OneDriveListedFiles()

    /// The addresses of pictures that are wanted together.
    let pictures = OneDrivePictureLinks()

    /// Entries that a page of a listing has at most.
    let pageSize: Int

    /// Makes a provider with a token that does not change; nothing is sent until it is used.
    ///
    /// - Parameters:
    ///   - token: An access token.
    ///   - options: The addresses and the drive.
    ///   - transport: The transport that carries the requests; the provider ends it.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `URLError.unsupportedURL` for an address that is none of a server.
    public convenience init(
        token: String,
        options: OneDriveOptions = OneDriveOptions(),
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
    ///   - options: The addresses and the drive.
    ///   - credential: The account.
    ///   - authenticator: The proof of who we are.
    ///   - transport: The transport that carries the requests; the provider ends it.
    ///   - environment: Queues, delegates and logger.
    ///   - uploads: The store of uploads that are under way.
    ///   - writtenURL: The address that the configuration had.
    ///   - pageSize: Entries that a page of a listing has at most; the service may give fewer.
    ///   - retryPolicy: The policy for repeating requests.
    ///   - clock: The clock that waits.
    ///   - now: The time of day.
    /// - Throws: `URLError.unsupportedURL` for an address that is none of a server.
    package init(
        options: OneDriveOptions,
        credential: FileProviderCredential?,
        authenticator: (any HTTPAuthenticator)?,
        transport: any HTTPTransport,
        environment: FileProviderEnvironment,
        uploads: any UploadSessionStore = MemoryUploadSessionStore(),
        writtenURL: URL? = nil,
        pageSize: Int = 1_000,
        retryPolicy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        connection = try GraphConnection(
            graphURL: options.graphURL,
            authenticator: authenticator,
            transport: transport,
            environment: environment,
            retryPolicy: retryPolicy,
            clock: clock,
            now: now
        )
        baseURL = options.page
        folders = OneDriveFolderMemory(now: now)
        drive = Mutex(OneDriveKnownDrive(options))
        self.options = options
        self.credential = credential?.shown
        self.environment = environment
        self.uploads = uploads
        self.writtenURL = writtenURL
        self.pageSize = pageSize
    }

    /// The session that requests go through.
    public var transport: HTTPSession { connection.session }

    /// The policy for repeating requests.
    public var retryPolicy: RetryPolicy { connection.retryPolicy }

    /// The abilities of OneDrive.
    public var capabilities: FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.readsRanges = true
        capabilities.copiesOnServer = true
        capabilities.writesAtomically = true
        capabilities.createsExclusively = true
        capabilities.writesConditionally = true
        capabilities.setsModifiedDate = true
        capabilities.settableDates = OneDriveDate.settable
        capabilities.datePrecision = OneDriveDate.precision
        capabilities.comparesWrites = true
        capabilities.rewritesContents = drive.withLock { $0.type != .personal }
        capabilities.checksumKinds = [.quickXor]
        capabilities.isCaseSensitive = false
        capabilities.distinguishesNormalizationForms = false
        capabilities.maximumNameLength = 255
        capabilities.maximumFileSize = OneDriveUpload.largestFile
        capabilities.addressesByIdentifier = true
        capabilities.recommendedConcurrency = 6
        // The API lists no recycle bin: only the process that removed a folder knows that it is there.
        capabilities.restoresTrashedFolders = false
        // Version 1.0 of the API lists no recycle bin, and tells the dates of versions by its own clock.
        capabilities.listsTrash = false
        capabilities.identifiesVersions = false
        return capabilities
    }
}
