import Foundation
import NIOHTTP1
import Synchronization

extension DropboxLab {
    /// Makes an access token.
    ///
    /// - Parameters:
    ///   - account: The account that it opens; by default the one that exists from the start.
    ///   - lifetime: The time for which it is good, by the lab's clock; `nil` for good.
    ///   - scopes: The permissions that it gives; `nil` for all.
    /// - Returns: The token.
    public func makeAccessToken(
        for account: DropboxAccount? = nil,
        lifetime: Duration? = nil,
        scopes: Set<String>? = nil
    ) -> String {
        makeAccessToken(for: account ?? self.account, lifetime: lifetime, scopes: scopes, refreshToken: nil)
    }

    /// Makes an access token that belongs to a refresh token.
    func makeAccessToken(
        for account: DropboxAccount,
        lifetime: Duration?,
        scopes: Set<String>?,
        refreshToken: String?
    ) -> String {
        let text = "sl.u." + makeText(length: 48)
        let expires = lifetime.map { clock.now.addingTimeInterval($0 / .seconds(1)) }
        let token = DropboxAccessToken(account: account, expires: expires, scopes: scopes, refreshToken: refreshToken)
        state.withLock { $0.accessTokens[text] = token }
        return text
    }

    /// Makes a refresh token, as an app has that the user has let in.
    ///
    /// - Parameters:
    ///   - account: The account that it opens; by default the one that exists from the start.
    ///   - appKey: The key of the app that may use it; `nil` for any.
    ///   - scopes: The permissions that it gives; `nil` for all.
    /// - Returns: The token.
    public func makeRefreshToken(
        for account: DropboxAccount? = nil,
        appKey: String? = nil,
        scopes: Set<String>? = nil
    ) -> String {
        let text = makeText(length: 64)
        let token = DropboxRefreshToken(account: account ?? self.account, appKey: appKey, scopes: scopes)
        state.withLock { $0.refreshTokens[text] = token }
        return text
    }

    /// Finds the token of a request.
    ///
    /// - Throws: A refusal with status 400 or 401.
    func authorize(_ request: LabRequest, scope: String?) throws -> DropboxAccessToken {
        let fields = request.headers["authorization"]
        guard let field = fields.first else {
            throw DropboxRefusal.malformed(
                "Must provide HTTP header \"Authorization\" or URL parameter \"authorization\"."
            )
        }
        guard fields.count == 1, field.lowercased().hasPrefix("bearer ") else {
            throw DropboxRefusal.malformed("Invalid authorization value in HTTP header \"Authorization\".")
        }
        let text = String(field.dropFirst(7))
        guard let token = state.withLock({ $0.accessTokens[text] }) else {
            throw DropboxRefusal.unauthorized(DropboxTag("invalid_access_token"))
        }
        if let expires = token.expires, expires <= clock.now {
            throw DropboxRefusal.unauthorized(DropboxTag("expired_access_token"))
        }
        if let scope, let scopes = token.scopes, !scopes.contains(scope) {
            let fields: [(String, JSONValue)] = [("required_scope", .string(scope))]
            throw DropboxRefusal.unauthorized(DropboxTag("missing_scope", fields: fields))
        }
        return token
    }

    /// Ends the life of the token of a request.
    func expireToken(of request: LabRequest) {
        guard let field = request.headers["authorization"].first else { return }
        let now = clock.now
        state.withLock { $0.accessTokens[String(field.dropFirst(7))]?.expires = now }
    }
}

/// A token that lets a client call.
struct DropboxAccessToken: Sendable {
    let account: DropboxAccount
    /// The date from which on it is refused.
    var expires: Date?
    let scopes: Set<String>?
    /// The token that it was made from.
    var refreshToken: String?
}

/// A token that gets a client new access tokens.
struct DropboxRefreshToken: Sendable {
    let account: DropboxAccount
    let appKey: String?
    let scopes: Set<String>?
}

/// A code that a client exchanges for tokens, once.
struct DropboxCode: Sendable {
    let account: DropboxAccount
    let appKey: String
    let redirectURI: String?
    let challenge: String?
    let isPlainChallenge: Bool
    let isOffline: Bool
    let scopes: Set<String>?
    let expires: Date
}
