/// The behaviour that a server can be relied on to show when something is changed.
///
/// A new value assumes the worst: that a `PUT` can leave half a file, that no condition is looked at, that nothing is
/// said of what went wrong.
package struct WebDAVTraits: Sendable, Hashable {
    /// The way in which a `PUT` is made to depend on the file's absence.
    package enum AbsenceCondition: String, Sendable, Hashable {
        /// It can't be.
        case impossible
        /// By `If-None-Match: *` (RFC 9110 §13.1.2).
        case ifNoneMatch
    }

    /// The way in which a `PUT` is made to depend on the file's eTag.
    package enum ETagCondition: Sendable, Hashable {
        /// It can't be.
        case impossible
        /// By `If-Match` (RFC 9110 §13.1.1).
        case ifMatch
        /// By `If: (["…"])` (RFC 4918 §10.4), which is met by weak eTags too.
        case ifHeader
        /// By locking the file, comparing, and putting the new content in its place.
        case lock
    }

    /// The way in which a file gets a date that we choose.
    package enum DateSetting: String, Sendable, Hashable {
        /// It can't.
        case impossible
        /// By a field of the `PUT`.
        case field
        /// By `PROPPATCH` of `DAV:getlastmodified`.
        case lastModified
        /// By `PROPPATCH` of `Win32LastModifiedTime`, as Windows does it.
        case win32
        /// By `PROPPATCH` of `DAV:lastmodified`, in seconds since 1970, as ownCloud has it.
        case seconds
    }

    /// A `PUT` to a new name leaves all of the file or nothing, also when the line breaks.
    package var createsByPut = false

    /// A `PUT` to an existing file leaves the old content or the new, also when the line breaks.
    package var replacesByPut = false

    /// A `PUT` whose body ends early is refused, so that success is a proof that all of it has arrived.
    package var checksLength = false

    /// A `PUT` without a `Content-Length`, in chunks (RFC 9112 §7.1), is stored as a whole.
    package var takesChunkedBodies = false

    /// The way in which a `PUT` is made to depend on the file's absence.
    package var absenceCondition = AbsenceCondition.impossible

    /// The way in which a `PUT` is made to depend on the file's eTag.
    package var eTagCondition = ETagCondition.impossible

    /// Of two that make an item of one name at the same time, one is refused.
    package var createsExclusively = false

    /// `MKCOL` of a folder that exists is refused.
    package var refusesExistingFolders = false

    /// An eTag is made of size and whole seconds: an edit of equal size in the same second does not change it.
    package var hasCoarseETags = true

    /// The way in which a file gets a date that we choose.
    package var dateSetting = DateSetting.impossible

    /// A part of a file comes when only that is asked for.
    package var readsRanges = false

    /// A `PUT` with a `Content-Range` changes a part of a file, as far as is known; it is tried out before it is relied on.
    package var takesRanges = false

    /// `a` and `A` are two names.
    package var isCaseSensitive = true

    /// Composed and decomposed forms of a letter are two names.
    package var distinguishesNormalizationForms = true

    /// To end or refresh a lock that is held no longer is reported as a success.
    package var forgetsLocks = false

    /// Locks are given, and keep nobody out.
    package var hasIdleLocks = false

    /// The SHA-1 of a file is the property `sha1hex` of the namespace `ME:`.
    package var tellsSHA1 = false

    /// A file has the media type that came with it, not that of its name.
    package var keepsContentTypes = false

    /// A lock stays on a name whose item is gone, until it is ended; and nothing says in a move that the lock on the
    /// source is ours, unless the target is locked too.
    package var keepsLocksOfNames = false

    /// A listing breaks off when an item goes while it is made.
    package var breaksListings = false

    /// Indicates whether, if nothing can be put into a folder, `MKCOL` there says why; `PUT` doesn't.
    package var explainsByFolders = false

    /// Names that begin with a dot are never listed.
    package var hidesDotNames = false

    /// It was seen that names that begin with a dot are listed like others.
    package var listsDotNames = false

    /// `MOVE` is refused, by the server or by a proxy before it.
    package var refusesMoves = false

    /// Names can have control characters.
    package var takesControlCharacters = false

    /// Names can have bytes that are not UTF-8.
    package var takesAnyBytes = false

    /// Characters that no name in the path of a copy's or a move's target can have.
    package var forbiddenInTargets = ""

    /// Other characters that names can't have.
    package var forbiddenCharacters = ""

    /// Names that the server keeps for itself.
    package var reservedNames: Set<String> = []

    /// Bytes that a name may have; `nil` if no limit is known.
    package var maximumNameLength: Int?

    /// Bytes that a name may have in a `PUT`, where that is less.
    package var maximumPutNameLength: Int?

    /// A copy or a move with `Overwrite: F` is refused whatever stands at its target.
    package var guardsTargets = false

    /// A move makes the folder that it leads to, and those above it.
    package var makesMissingFolders = true

    /// Assumes the worst.
    package init() {}

    /// Makes traits that differ from those of a server that nothing is known of.
    ///
    /// - Parameter change: Sets what is known.
    init(_ change: (inout WebDAVTraits) -> Void) {
        change(&self)
    }
}
