public import FerryCore
import Foundation
public import HTTPTypes
import Synchronization

/// Proves a user's name and password, in the best way that the server takes.
public final class PasswordAuthenticator: HTTPAuthenticator {
    private let state: Mutex<PasswordState>
    private let makeNonce: @Sendable () -> String
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - scheme: How it is proved.
    public convenience init(user: String, password: String, scheme: PasswordScheme = .automatic) {
        self.init(user: user, password: password, scheme: scheme, makeNonce: Self.randomNonce)
    }

    /// Makes an authenticator whose nonces are somebody else's.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - scheme: How it is proved.
    ///   - now: The time.
    ///   - makeNonce: Makes a nonce that nobody can guess.
    package init(
        user: String,
        password: String,
        scheme: PasswordScheme,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        makeNonce: @escaping @Sendable () -> String
    ) {
        state = Mutex(PasswordState(user: user, password: password, scheme: scheme))
        self.makeNonce = makeNonce
        self.now = now
    }

    /// The authenticator that fits a credential.
    ///
    /// It renews no token: where that is to be done, use an ``OAuth2Authenticator``.
    ///
    /// - Parameters:
    ///   - credential: A user with a password, or a token; without a secret there is nothing to prove.
    ///   - scheme: How a password is proved.
    /// - Returns: `nil` if there is nothing to prove.
    public static func authenticator(
        for credential: FileProviderCredential,
        scheme: PasswordScheme = .automatic
    ) -> (any HTTPAuthenticator)? {
        switch credential.secret {
        case .password(let password):
            PasswordAuthenticator(user: credential.user ?? "", password: password, scheme: scheme)
        case .token(let token): BearerAuthenticator(token: token)
        case .oauth(let token): BearerAuthenticator(token: token.accessToken)
        case nil: nil
        }
    }

    /// Returns whether a request would carry what the server wants.
    ///
    /// - Parameter request: The request as it will be sent.
    /// - Returns: `false` before the server has said whether it takes digests, if that matters.
    public func isReady(for request: HTTPRequest) async -> Bool {
        state.withLock { $0.isReady(for: request) }
    }

    /// Returns whether a nonce that would be sent was good a moment ago: digests run out, passwords and tokens don't.
    ///
    /// - Parameter request: The request as it will be sent.
    /// - Returns: `false` if the server should be asked before a body that can be sent only once.
    public func isSure(of request: HTTPRequest) async -> Bool {
        state.withLock { $0.isSure(at: now()) }
    }

    /// Indicates whether the server takes each of its nonces for a few requests only.
    public var spendsProofs: Bool {
        get async { state.withLock(\.spendsNonces) }
    }

    /// Adds the proof.
    ///
    /// - Parameter request: The request as it will be sent.
    public func authorize(_ request: inout HTTPRequest) async {
        let sent = request
        request.headerFields[.authorization] = state.withLock { $0.authorization(for: sent) }
    }

    /// Looks at a refusal.
    ///
    /// - Parameters:
    ///   - response: The refusal.
    ///   - request: The request that was sent.
    /// - Returns: `true` if the server wants something that it has not seen yet.
    public func renew(after response: HTTPResponse, of request: HTTPRequest) async -> Bool {
        let challenges = AuthenticationChallenge.all(in: response.headerFields)
        return state.withLock { state in
            state.renew(after: challenges, of: request.headerFields[.authorization], at: now(), makeNonce: makeNonce)
        }
    }

    /// Looks at an answer, which may tell the next nonce, and prove that the server knows the password too.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - request: The request that was sent.
    /// - Throws: `URLError.cannotParseResponse` if the proof is wrong.
    public func note(_ response: HTTPResponse, of request: HTTPRequest) async throws {
        let info =
            response.headerFields.text(.authenticationInfo).map { AuthenticationChallenge.parameters(of: $0) } ?? [:]
        let isGenuine = state.withLock { $0.note(info, of: request.headerFields.text(.authorization), at: now()) }
        guard isGenuine else {
            throw URLError.answer(
                .cannotParseResponse,
                description: "the server could not prove that it knows the password"
            )
        }
    }

    private static func randomNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<18).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Data(bytes).base64EncodedString()
    }
}

/// The way in which a password is proved.
public enum PasswordScheme: Sendable, Hashable {
    /// Basic at once over TLS and within this machine; elsewhere whatever the server wants, Digest if it takes that.
    case automatic
    /// Basic at once (RFC 7617): over HTTP without TLS anybody on the line can read the password.
    case basic
    /// Digest only (RFC 7616): the password is never sent.
    case digest
}
