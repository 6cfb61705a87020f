public import FerryCore
import FerryHTTP
import Foundation
import Synchronization

/// Files on a Nextcloud or ownCloud server: WebDAV, and what these servers add to it.
///
/// ```swift
/// let files = try await NextcloudFileProvider.open(
///     URL(string: "https://cloud.example")!,
///     credential: FileProviderCredential(user: "alice", secret: .password(password))
/// )
/// ```
///
/// Uploads never tear a file: a file that exists is replaced by the server's own commit, which keeps its identifier, its
/// links and its versions. Many small files go in few requests; see ``/FerryCore/FileProviderBulkWriting``.
public final class NextcloudFileProvider: WebDAVProvider {
    /// `nextcloud`.
    public static let type = "nextcloud"

    /// The connection to the server.
    public let connection: WebDAVConnection

    /// The account there.
    public let credential: FileProviderCredential?

    /// The server's description of itself.
    public let facts: NextcloudServerFacts

    /// The user's identifier, which paths are made of.
    public let userID: String

    /// The other settings in a configuration of this provider.
    let options: WebDAVOptions

    /// The server's address, and where its interfaces are below it.
    let place: NextcloudPlace

    /// Asks the API beside WebDAV.
    let api: OCSClient

    /// Uploads that can go on after a cut.
    let uploads: any UploadSessionStore

    /// The folders of uploads that could not be removed yet, percent-encoded.
    let abandonedUploads = Mutex<Set<String>>([])

    /// Indicates whether nobody has looked yet for uploads of processes that were killed.
    let looksForUploads = Atomic(true)

    /// Chunks of files in parts that were compared when this process sent them, by the uploads' identifiers.
    let comparedChunks = Mutex<[String: Set<Int>]>([:])

    /// When names were last put into the trash, in the server's seconds.
    let trashed = Mutex<[String: Int]>([:])

    init(
        place: NextcloudPlace,
        userID: String,
        facts: NextcloudServerFacts,
        credential: FileProviderCredential?,
        options: WebDAVOptions = WebDAVOptions(),
        session: HTTPSession,
        environment: FileProviderEnvironment,
        uploads: any UploadSessionStore = MemoryUploadSessionStore(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        guard let url = place.filesURL(of: userID) else {
            throw URLError.answer(.unsupportedURL, description: "the user's files have no URL")
        }
        connection = try WebDAVConnection(
            baseURL: url,
            session: session,
            environment: environment,
            clock: clock,
            now: now
        )
        api = OCSClient(session: session, origin: place.origin, prefix: place.prefix)
        self.place = place
        self.userID = userID
        self.facts = facts
        self.credential = credential?.shown
        self.options = options
        self.uploads = uploads
        let isNextcloud = facts.product == .nextcloud
        let search = WebDAVSearchSupport(
            endpoint: place.prefix + "/remote.php/dav/",
            scope: "/files/\(userID.formEscaped)" + (place.folder.isRoot ? "" : place.folder.percentEncoded)
        )
        connection.learn { known in
            known.search = .some(isNextcloud ? search : nil)
            // A change below a folder changes its eTag, too.
            known.tracking = .folderTags
            known.tried.hasCoarseETags = false
        }
    }

    /// The server's abilities.
    public var capabilities: FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.readsRanges = true
        capabilities.copiesOnServer = true
        capabilities.writesAtomically = facts.takesChunks
        // Not `createsExclusively`: of several `PUT`s or `MOVE`s of the same moment that must not replace anything, Nextcloud
        // 32 carries out two now and then.
        capabilities.writesConditionally = true
        capabilities.setsModifiedDate = true
        capabilities.datePrecision = .seconds(1)
        capabilities.settableDates = WebDAVConnection.fieldDates
        capabilities.comparesWrites = facts.product == .nextcloud
        capabilities.checksumKinds = facts.product == .nextcloud ? [.sha256, .sha1, .md5] : [.sha1, .md5, .adler32]
        capabilities.distinguishesNormalizationForms = false
        capabilities.maximumNameLength = 250
        capabilities.forbiddenCharacters = facts.allForbiddenCharacters
        capabilities.addressesByIdentifier = facts.product == .nextcloud
        capabilities.folderTagsShowBelow = true
        // They are made of date, size and place on the server's disk, and the date is the client's to choose.
        capabilities.eTagsShowContents = false
        capabilities.recommendedConcurrency = 6
        return capabilities
    }
}

extension NextcloudFileProvider: FileProviderWholeReading {}
