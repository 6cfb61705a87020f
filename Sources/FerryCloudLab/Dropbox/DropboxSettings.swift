/// The ways in which an emulated Dropbox can differ; a test may change them at any time.
public struct DropboxSettings: Sendable, Hashable {
    /// The answer of the user who is asked to let an app in.
    public enum Consent: Sendable, Hashable {
        /// The user agrees at once.
        case granted
        /// The user declines.
        case denied
    }

    /// The most entries of a page, of listings, searches and lists of links; a request may ask for fewer.
    public var pageSize = 3
    /// A Boolean value that indicates whether listings of several pages have an empty one among them.
    public var hasEmptyPages = true
    /// A Boolean value that indicates whether `path_display` is right in its last component only, as it may be.
    public var hasRoughDisplayPaths = true
    /// A Boolean value that indicates whether arguments in headers may be UTF-8; the documentation asks for ASCII, and
    /// rclone 1.60 and 1.75 send UTF-8 nevertheless.
    public var acceptsUTF8Headers = false
    /// The number of times that a job says it is in progress; `nil` answers at once, without a job.
    public var jobPolls: Int? = 1
    /// The life of an access token.
    public var tokenLifetime: Duration = .seconds(14400)
    /// The life of an upload session.
    public var sessionLifetime: Duration = .seconds(7 * 24 * 3600)
    /// The most bytes of the body of one upload request.
    public var maximumPayload: Int64 = 150 << 20
    /// The largest number of entries of a folder that is deleted, moved or copied in one request.
    public var maximumFolderOperation = 10_000
    /// The time after a change during which searches don't show it.
    public var indexLag: Duration = .zero
    /// The answer of the user who is asked to let an app in.
    public var consent: Consent = .granted
    /// The only app that is let in; `nil` lets any app in.
    public var appKey: String?
    /// The secret of that app; `nil` doesn't ask for one.
    public var appSecret: String?

    /// Makes the default settings.
    public init() {}
}
