public import FerryCore

/// A bad day that only the provider's own tests can bring about, on a server of theirs or a disk.
///
/// A stage has a closure for each situation that it can make; the rules about the others are reported as not applicable.
public enum ConformanceSituation: String, Sendable, Hashable, CaseIterable {
    /// There is no room for 64 KiB more.
    case full
    /// Nothing on the storage can be changed any more.
    case readOnly
    /// The item at the path can't be read, or listed if it is a folder.
    case unreadable
    /// The file at the path can't be changed, or the folder's items, and nothing can be put into it.
    case unwritable
    /// The storage no longer takes our credential.
    case badCredential
    /// Nobody answers.
    case unreachable
    /// The line is cut in the middle of the content of the file at the path.
    case cutWhileReading
    /// The line is cut while content is being sent.
    case cutWhileWriting
    /// The storage takes a request and never answers; the provider is set up to give up within seconds.
    case silent
    /// The server shows a certificate that nobody should trust.
    case untrusted
    /// The answers make no sense.
    case senseless
    /// Each request is redirected to a server of somebody else, which writes down the credentials that it gets
    /// (``ConformanceStage/credentialsElsewhere``).
    case redirected
    /// The listing of the folder at the path, of 1,500 items, breaks off after the first page.
    case pageFails
    /// The base folder is gone.
    case baseGone
}

/// Brings a situation about, for the item at a path where one is concerned.
public typealias ConformanceSituationMaker = @Sendable (_ path: ItemPath) async throws -> Void
