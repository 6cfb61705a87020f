public import FerryCore

/// How the session is to treat one request.
public struct HTTPRequestOptions: Sendable {
    /// The item that the request is about, for errors and logs.
    public var path: ItemPath

    /// Whether a second request after a lost answer does no harm; by default the method says it (RFC 9110 §9.2.2).
    public var isIdempotent: Bool?

    /// Whether to go where a redirect leads, if that is the same origin.
    public var followsRedirects: Bool

    /// Makes options.
    ///
    /// - Parameters:
    ///   - path: The item that the request is about.
    ///   - isIdempotent: Whether it can be repeated; `nil` to judge by the method.
    ///   - followsRedirects: Whether to go where a redirect leads.
    public init(path: ItemPath = .root, isIdempotent: Bool? = nil, followsRedirects: Bool = true) {
        self.path = path
        self.isIdempotent = isIdempotent
        self.followsRedirects = followsRedirects
    }
}
