import Foundation

/// A token that lets a client call.
struct GraphAccessToken: Sendable {
    let account: GraphAccount
    /// The date from which on it is refused.
    var expires: Date?
    let scopes: Set<String>?
    /// The refresh token that ends when this token is used for the first time.
    var predecessor: String?
}

/// A token that gets a client new access tokens.
struct GraphRefreshToken: Sendable {
    let account: GraphAccount
    let clientID: String?
    let scopes: Set<String>?
    /// The refresh token that ends when this one is used for the first time.
    var predecessor: String?
}

/// A code that a client exchanges for tokens, once.
struct GraphCode: Sendable {
    let account: GraphAccount
    let clientID: String
    let redirectURI: String
    let challenge: String?
    let isPlainChallenge: Bool
    let scopes: Set<String>
    let expires: Date
}

/// A code that a client asks about while the user agrees on another device.
struct GraphDeviceCode: Sendable {
    let account: GraphAccount
    let clientID: String
    let scopes: Set<String>
    let expires: Date
    /// The number of times that the user hasn't agreed yet.
    var polls: Int
    /// The time that a client has to wait between two questions.
    var interval: Duration
    /// The date of the last question.
    var lastPoll: Date?
}
