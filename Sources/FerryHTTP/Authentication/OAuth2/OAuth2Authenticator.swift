public import FerryCore
import Foundation
public import HTTPTypes
public import Logging
import Synchronization

/// Sends an access token of OAuth 2, and has it renewed before it ends and when it is refused.
///
/// However many requests wait, there is one renewal. A new token is kept by the store before anybody uses it: where
/// refresh tokens rotate, one that gets lost is the login lost.
public final class OAuth2Authenticator: HTTPAuthenticator {
    private struct State {
        var token: OAuth2Token?
        /// A new token that could not be stored yet.
        var unsaved: OAuth2Token?
    }

    private let client: OAuth2Client
    private let store: any CredentialStore
    private let account: String
    private let margin: Duration
    private let logger: Logger
    private let state = Mutex(State())
    private let renewal = SharedWork<OAuth2Token>()

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - client: The client that renews tokens.
    ///   - store: Where the token is, and is put.
    ///   - account: Which login.
    ///   - margin: How long before its end a token is renewed.
    ///   - logger: Where to log.
    public init(
        client: OAuth2Client,
        store: any CredentialStore,
        account: String,
        margin: Duration = .seconds(60),
        logger: Logger
    ) {
        self.client = client
        self.store = store
        self.account = account
        self.margin = margin
        self.logger = logger
    }

    /// Adds the access token, which is renewed before if need be.
    ///
    /// - Parameter request: The request as it will be sent.
    /// - Throws: `URLError.userAuthenticationRequired` if a new login is needed; errors of the connection and the store.
    public func authorize(_ request: inout HTTPRequest) async throws {
        let token = try await validToken()
        request.headerFields[.authorization] = "Bearer \(token.accessToken)"
    }

    /// Has the token renewed, unless that was done since the request was sent.
    ///
    /// - Parameters:
    ///   - response: The refusal.
    ///   - request: The request that was sent.
    /// - Returns: `true`.
    /// - Throws: `URLError.userAuthenticationRequired` if a new login is needed; errors of the connection and the store.
    public func renew(after response: HTTPResponse, of request: HTTPRequest) async throws -> Bool {
        let refused = request.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
        _ = try await renewal.value { [self] in try await renewedToken(insteadOf: refused) }
        return true
    }

    private func validToken() async throws -> OAuth2Token {
        if let token = state.withLock({ $0.unsaved == nil ? $0.token : nil }), isFresh(token) { return token }
        return try await renewal.value { [self] in try await renewedToken(insteadOf: nil) }
    }

    private func isFresh(_ token: OAuth2Token) -> Bool {
        guard let expires = token.expires else { return true }
        return expires.timeIntervalSince(client.now()) > margin / .seconds(1)
    }

    /// A token that can be used: the one at hand, the one that another process has put into the store, or a new one.
    ///
    /// - Parameter refused: An access token that the server does not take any more.
    /// - Returns: A token that is kept by the store.
    /// - Throws: The error that keeps a token from being obtained.
    private func renewedToken(insteadOf refused: String?) async throws -> OAuth2Token {
        if let unsaved = state.withLock({ $0.unsaved }) { try await save(unsaved) }
        if let known = state.withLock({ $0.token }), isFresh(known), known.accessToken != refused { return known }
        guard let stored = try await store.credential(for: account), case .oauth(let token) = stored.secret else {
            throw URLError.answer(
                .userAuthenticationRequired,
                description: "there is no login",
                suggestion: "log in first"
            )
        }
        if isFresh(token), token.accessToken != refused {
            state.withLock { $0.token = token }
            return token
        }
        // A token without successor is used to its end.
        if token.refreshToken == nil, token.accessToken != refused, token.expires.map({ $0 > client.now() }) ?? true {
            return token
        }
        let fresh = try await client.refreshed(token)
        logger.debug("access token renewed")
        state.withLock { $0.unsaved = fresh }
        try await save(fresh)
        return fresh
    }

    private func save(_ token: OAuth2Token) async throws {
        let user = try await store.credential(for: account)?.user
        try await store.setCredential(FileProviderCredential(user: user, secret: .oauth(token)), for: account)
        state.withLock { state in
            state.token = token
            state.unsaved = nil
        }
    }
}
