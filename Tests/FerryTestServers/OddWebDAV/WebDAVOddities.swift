/// The oddities of an ``OddWebDAVServer``; a new value has none.
public struct WebDAVOddities: Sendable {
    /// How a page of a listing leads to the next one.
    public enum NextLink: Sendable, Hashable {
        /// A path with a query.
        case path
        /// A URL of the server by the name that the request has used.
        case url
        /// A URL of this host.
        case host(String)
        /// The page itself.
        case itself
        /// A URL that makes no sense.
        case broken
    }

    /// A content coding that nobody has asked for.
    public enum Coding: Sendable, Hashable {
        /// Contents are packed, and the field says so.
        case packed(tellsLength: Bool)
        /// The field says so, and contents are as they are.
        case named(String)
        /// The field says `gzip`, and contents begin as if, and make no sense.
        case garbage
    }

    /// A way of answering requests for a part of a file.
    public enum RangeAnswer: Sendable, Hashable {
        /// 206 with the part.
        case part
        /// All of it, with 200.
        case whole
        /// The part, with `Content-Range` and 200.
        case partWithOK
        /// 206 with all from the first byte on.
        case early
    }

    /// The number of entries on a page of a listing; `nil` for one page.
    public var pageSize: Int?
    /// How a page leads to the next one.
    public var nextLink = NextLink.path
    /// Names that no listing has, though the items are there.
    public var unlisted: Set<String> = []
    /// Names that begin with a dot are in no listing.
    public var hidesDotNames = false
    /// How contents are packed.
    public var coding: Coding?
    /// The value of `Content-Encoding` of answers in XML, and of errors, which are not packed.
    public var falseCoding: String?
    /// The host of all paths in answers, in place of paths alone.
    public var hrefHost: String?
    /// Indicates whether the folder itself comes last in its listing.
    public var listsFolderLast = false
    /// The status of every `MOVE` and `COPY`.
    public var moveStatus: Int?
    /// The status of `OPTIONS`.
    public var optionsStatus: Int?
    /// Names that differ by case only are one.
    public var foldsCase = false
    /// Names that differ by the composition of letters only are one.
    public var foldsForms = false
    /// Indicates whether `X-OC-MTime` gives a file its date, for dates in this range of seconds since 1970; others are
    /// dropped.
    public var keptDates: ClosedRange<Int>?
    /// The number of requests that a nonce of Digest is good for; `nil` for a server without logins.
    public var nonceUses: Int?
    /// Indicates whether a refusal of a spent nonce says `stale=true`.
    public var saysStale = true
    /// How requests for parts are answered.
    public var ranges = RangeAnswer.part
    /// How long the answers to some requests take.
    public var delay: (@Sendable (OddWebDAVServer.Request) -> Duration?)?
    /// The refusals of some requests, with nothing done.
    public var refusal: (@Sendable (OddWebDAVServer.Request) -> LoopbackAnswer?)?

    /// No oddities.
    public init() {}
}
