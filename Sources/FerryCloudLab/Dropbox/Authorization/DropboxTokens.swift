import Foundation

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
