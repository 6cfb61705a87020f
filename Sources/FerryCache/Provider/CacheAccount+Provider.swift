import Crypto
import FerryCore
import Foundation

extension CacheAccount {
    /// The account that a provider works for, which nobody else's provider has.
    ///
    /// Without a URL it is a storage of this process alone. Without a user's name, what proves who we are tells us apart: as
    /// a checksum, of a token; not of a password, which could be guessed by it.
    ///
    /// - Parameter provider: The provider.
    init(of provider: some FileProviderBasic) {
        let plain = CacheAccount(provider)
        let user: String
        switch (provider.credential?.user, provider.credential?.secret) {
        case (nil, .token(let token)?): user = Self.checksum(token)
        case (nil, .oauth(let token)?): user = Self.checksum(token.refreshToken ?? token.accessToken)
        case (nil, .password?): user = "unknown-\(UUID().uuidString)"
        default: user = plain.user
        }
        let baseURL = provider.baseURL == nil ? "instance:\(UUID().uuidString)" : plain.baseURL
        self.init(type: plain.type, user: user, baseURL: baseURL)
    }

    private static func checksum(_ token: String) -> String {
        "token-" + SHA256.hash(data: Data(token.utf8)).prefix(16).map { String(format: "%02x", $0) }.joined()
    }
}
