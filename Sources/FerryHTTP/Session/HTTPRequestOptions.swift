public import FerryCore

/// The options by which the session treats one request.
public struct HTTPRequestOptions: Sendable {
    /// The item that the request is about, for errors and logs.
    public var path: ItemPath

    /// Indicates whether a second request after a lost answer does no harm; by default the method says it (RFC 9110
    /// §9.2.2).
    ///
    /// Others are repeated only after 429.
    public var isIdempotent: Bool?

    /// Indicates whether to go where a redirect leads, if that is the same origin.
    public var followsRedirects: Bool

    /// The requests that login and cookies go with.
    public enum Credentials: Sendable, Hashable {
        /// If the request is for one of the session's origins.
        case forOwnOrigins
        /// In any case: for a host of the same service that only the service knows.
        case always
        /// Never: for a URL at an own origin that carries its own permission.
        case never
    }

    /// Decides if login and cookies go with the request.
    ///
    /// After a redirect to another origin they never do.
    public var credentials: Credentials

    /// Makes options.
    ///
    /// - Parameters:
    ///   - path: The item that the request is about.
    ///   - isIdempotent: `true` if the request can be repeated, not only after 429; `nil` to judge by the method.
    ///   - followsRedirects: `true` to go where a redirect leads.
    ///   - credentials: When login and cookies go with it.
    public init(
        path: ItemPath = .root,
        isIdempotent: Bool? = nil,
        followsRedirects: Bool = true,
        credentials: Credentials = .forOwnOrigins
    ) {
        self.path = path
        self.isIdempotent = isIdempotent
        self.followsRedirects = followsRedirects
        self.credentials = credentials
    }
}
