public import HTTPTypes

/// Proves to a server who we are: a password, a digest, a token.
///
/// One authenticator serves all requests of a session, many at the same time.
public protocol HTTPAuthenticator: Sendable {
    /// Returns whether a request that is sent now would carry what the server wants, as far as is known.
    ///
    /// While this is `false` the session first asks something small, so that the server can say what it wants: one
    /// challenge for any number of requests, and no body that is sent in vain.
    ///
    /// - Parameter request: The request as it will be sent.
    /// - Returns: `true` also where no proof is needed.
    func isReady(for request: HTTPRequest) async -> Bool

    /// Returns whether what ``authorize(_:)`` would add has hardly had time to run out.
    ///
    /// Asked before a body that can be sent only once: as long as this is `false`, something small goes first.
    ///
    /// - Parameter request: The request as it will be sent.
    /// - Returns: `true` where proofs don't run out, or their end is known.
    func isSure(of request: HTTPRequest) async -> Bool

    /// A Boolean value that indicates whether a proof is good for a few requests only.
    ///
    /// As long as it is `true`, ``isSure(of:)`` is asked before every request with a body, and a small request without a
    /// proof brings the next proof.
    var spendsProofs: Bool { get async }

    /// Adds the proof to a request, where one is known before the server has asked.
    ///
    /// - Parameter request: The request as it will be sent; its URL is of the session's origin.
    /// - Throws: The error that keeps a proof from being made: `URLError.userAuthenticationRequired` where a new login
    ///   is needed.
    func authorize(_ request: inout HTTPRequest) async throws

    /// Looks at a refusal (401), and says whether to send the request again, once.
    ///
    /// - Parameters:
    ///   - response: The refusal; its `WWW-Authenticate` fields say what the server wants.
    ///   - request: The request that was sent, with the proof that was refused.
    /// - Returns: `true` if ``authorize(_:)`` has something better now. The same proof is never sent twice: some
    ///   servers lock the account out after a few.
    /// - Throws: The error that keeps a new proof from being made.
    func renew(after response: HTTPResponse, of request: HTTPRequest) async throws -> Bool

    /// Looks at any other answer, which may tell the next proof (`Authentication-Info`, RFC 7616 §3.5).
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - request: The request that was sent.
    /// - Throws: `URLError.cannotParseResponse` if the server was to prove that it knows us, and could not.
    func note(_ response: HTTPResponse, of request: HTTPRequest) async throws
}

extension HTTPAuthenticator {
    /// Nothing needs to be asked first.
    ///
    /// - Parameter request: The request as it will be sent.
    /// - Returns: `true`.
    public func isReady(for request: HTTPRequest) async -> Bool { true }

    /// Its proofs don't run out by themselves.
    ///
    /// - Parameter request: The request as it will be sent.
    /// - Returns: `true`.
    public func isSure(of request: HTTPRequest) async -> Bool { true }

    /// Proofs are good for any number of requests.
    public var spendsProofs: Bool {
        get async { false }
    }

    /// Nothing is learnt from it.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - request: The request that was sent.
    /// - Throws: Nothing.
    public func note(_ response: HTTPResponse, of request: HTTPRequest) async throws {}
}
