import FerryCache
import FerryCore
import Foundation

// Storages that a URL of a plainer kind may lead into, which only their servers can tell.

extension Storages {
    /// The storage of a richer kind, where a URL leads into one: over the plainer kind, what is replaced there would lose
    /// what the richer one keeps, such as shares and versions.
    ///
    /// - Parameters:
    ///   - address: The URL.
    ///   - text: The same, as a person wrote it.
    /// - Returns: `nil` for other servers; where nobody may be asked, for those that nothing is kept of.
    /// - Throws: Errors that keep the server from being asked.
    func guess(at address: WebAddress, in text: String) async throws -> Location? {
        guard let user = address.user, let (kind, base) = address.richerKind,
            let path = address.path.relative(to: base),
            let url = URL(string: address.root.absoluteString.dropLast() + base.percentEncoded + "/")
        else { return nil }
        let prefix = address.prefix + WebAddress.escaped(base.string)
        if let storage = opened[prefix] { return Location(text: text, storage: storage, prefix: prefix, path: path) }
        if plainServers.contains(prefix) { return nil }
        var configuration = ProviderConfiguration(type: kind.type, baseURL: url, user: user)
        do {
            if cacheUse.isOffline {
                guard let known = kind.offline(configuration, true), try await isKept(known, of: kind) else {
                    throw StorageKind.Mismatch()
                }
                configuration = known
            }
            let storage = try await storage(configuration, at: address, prefix: prefix, in: text)
            return Location(text: text, storage: storage, prefix: prefix, path: path)
        } catch is StorageKind.Mismatch {
            plainServers.insert(prefix)
            return nil
        }
    }

    /// Returns whether anything is kept of a storage that is not to be asked for its kind.
    ///
    /// - Parameters:
    ///   - configuration: Its place, with all that its server would have said.
    ///   - kind: Its kind.
    /// - Returns: `true` if an earlier run has found that there is one.
    /// - Throws: Errors of the cache.
    private func isKept(_ configuration: ProviderConfiguration, of kind: StorageKind) async throws -> Bool {
        guard cache.exists, !cache.isOff else { return false }
        let provider = try await kind.open(configuration, opening(MemoryCredentialStore()))
        let account = configuration.cacheAccount(of: provider, remote: nil)
        return try await cache.store().accounts().contains(account)
    }
}
