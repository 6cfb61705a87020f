/// The ways in which an emulated Microsoft Graph can differ; a test may change them at any time.
public struct GraphSettings: Sendable, Hashable {
    /// The answer of the user who is asked to let an app in.
    public enum Consent: Sendable, Hashable {
        /// The user agrees at once.
        case granted
        /// The user declines.
        case denied
    }

    /// The kind of the first account's drive; read once, at the start.
    public var driveType = GraphDriveType.personal
    /// The most entries of a page, of listings, changes and searches; a request may ask for fewer.
    public var pageSize = 3
    /// A Boolean value that indicates whether listings of several pages have an empty one among them.
    public var hasEmptyPages = true
    /// A Boolean value that indicates whether changes are reported in a rough order, as they may be: children before
    /// their parents, and some items twice.
    public var hasRoughDeltas = true
    /// The number of times that a copy says it is in progress; `nil` lets it be complete at the first poll.
    public var jobPolls: Int? = 1
    /// A Boolean value that indicates whether the monitor of a copy that is complete redirects to the new item.
    public var monitorsRedirect = false
    /// The number of times that a device code is still pending before the user agrees.
    public var devicePolls = 1
    /// A Boolean value that indicates whether each refresh makes a new refresh token, and ends the old one as soon as
    /// one of the new tokens is used.
    public var rotatesRefreshTokens = true
    /// The life of an access token.
    public var tokenLifetime: Duration = .seconds(3600)
    /// The life of an upload session, from its last fragment on.
    public var sessionLifetime: Duration = .seconds(2 * 24 * 3600)
    /// The life of a pre-authorised address of a file.
    public var downloadLifetime: Duration = .seconds(3600)
    /// The most bytes of a file that is uploaded in one request.
    public var maximumSimpleUpload: Int64 = 250_000_000
    /// The number of bytes of which the size of each fragment but the last is a multiple.
    public var fragmentMultiple: Int64 = 320 * 1024
    /// The number of bytes below which each fragment has to stay.
    public var maximumFragment: Int64 = 60 << 20
    /// A Boolean value that indicates whether Office files are changed after their upload, as SharePoint does on
    /// business drives and document libraries: size and hash are others than those of the bytes that were sent.
    public var rewritesOfficeFiles = false
    /// A Boolean value that indicates whether files have hashes; some drives leave them out.
    public var hasHashes = true
    /// The time after a change during which searches don't show it.
    public var indexLag: Duration = .zero
    /// A Boolean value that indicates whether items can be deleted for good.
    public var allowsPermanentDelete = true
    /// A Boolean value that indicates whether changes below a folder other than the root can be asked for; never on
    /// business drives and document libraries.
    public var supportsDeltaBelowRoot = true
    /// The answer of the user who is asked to let an app in.
    public var consent: Consent = .granted
    /// The only app that is let in; `nil` lets any app in.
    public var clientID: String?
    /// The secret of that app; `nil` doesn't ask for one.
    public var clientSecret: String?

    /// Makes the default settings.
    public init() {}
}
