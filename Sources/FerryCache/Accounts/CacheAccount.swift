public import FerryCore
import Foundation
import Synchronization

/// An account that answers and contents are kept for: a user of a storage.
///
/// Nothing that is kept for one account is ever shown to another.
public struct CacheAccount: Sendable, Hashable, Comparable {
    /// The kind of storage, such as `WebDAV`.
    public let type: String
    /// The user's name; empty if there is none.
    public let user: String
    /// The storage's URL, without a secret; empty if it has none.
    public let baseURL: String
    /// The parts with their lengths, so that no two accounts have the same.
    let key: String

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - type: The kind of storage.
    ///   - user: The user's name.
    ///   - baseURL: Where the storage is, without a secret.
    public init(type: String, user: String, baseURL: String) {
        self.type = type
        self.user = user
        self.baseURL = baseURL
        key = [type, user, baseURL].map { "\($0.utf8.count):\($0)" }.joined()
    }

    /// The account that a provider works for.
    ///
    /// - Parameter provider: The provider.
    public init(_ provider: some FileProviderBasic) {
        self.init(
            type: provider.type,
            user: provider.credential?.user ?? "",
            baseURL: Self.text(of: provider.baseURL)
        )
    }

    private static func text(of url: URL?) -> String {
        guard let url else { return "" }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
        parts.password = nil
        parts.scheme = parts.scheme?.lowercased()
        parts.host = parts.host?.lowercased()
        while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
        return parts.string ?? url.absoluteString
    }

    /// Compares byte by byte: names that only look alike are different.
    public static func == (first: CacheAccount, second: CacheAccount) -> Bool {
        first.key.hasSameBytes(as: second.key)
    }

    /// Orders by place, then by user.
    public static func < (first: CacheAccount, second: CacheAccount) -> Bool {
        for part in [\CacheAccount.baseURL, \.user, \.type]
        where !first[keyPath: part].hasSameBytes(as: second[keyPath: part]) {
            return first[keyPath: part].utf8.lexicographicallyPrecedes(second[keyPath: part].utf8)
        }
        return false
    }

    /// Feeds the account's bytes.
    ///
    /// - Parameter hasher: The hasher to feed.
    public func hash(into hasher: inout Hasher) {
        var key = key
        key.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension CacheAccount {
    /// The account that a provider works for, which nobody else's provider has.
    ///
    /// Without a URL it is a storage of this process alone. Without a user's name, the credential's fingerprint tells
    /// us apart; and where there is none, what is kept is for this provider only.
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
