import FerryCore
import Foundation

extension CacheAccount {
    /// The account that a provider works for, which nobody else's provider has.
    ///
    /// Without a URL it is a storage of this process alone. Without a user's name, the credential's fingerprint tells us
    /// apart; and where there is none, what is kept is for this provider only.
    ///
    /// - Parameter provider: The provider.
    init(of provider: some FileProviderBasic) {
        let plain = CacheAccount(provider)
        var user = plain.user
        if user.isEmpty, let credential = provider.credential {
            user = credential.fingerprint ?? "unknown-\(UUID().uuidString)"
        }
        let baseURL = provider.baseURL == nil ? "instance:\(UUID().uuidString)" : plain.baseURL
        self.init(type: plain.type, user: user, baseURL: baseURL)
    }
}
