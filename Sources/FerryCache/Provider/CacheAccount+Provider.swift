import FerryCore
import Foundation
import Synchronization

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

extension AccountCache {
    /// Returns whether nothing has changed, as far as this process knows, since the storage was asked.
    ///
    /// - Parameters:
    ///   - kind: The kind of the question.
    ///   - path: Of which item.
    ///   - mark: When.
    /// - Returns: `true` if the answer is as good as one to a question of now.
    func isCurrent(_ kind: CacheKind, _ path: ItemPath, since mark: CacheMark) -> Bool {
        store.state.withLock { $0.isCurrent(CacheKey(account, path, kind), since: mark.serial) }
    }
}
