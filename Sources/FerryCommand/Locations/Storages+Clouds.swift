import FerryCache
import FerryCore
import FerryWebDAV
import Foundation

// Nextclouds and ownClouds that are named by a URL only.

extension Storages {
    /// The files of a Nextcloud or an ownCloud, where a URL leads into them: over plain WebDAV, what is replaced there would
    /// lose its shares and versions.
    ///
    /// - Parameters:
    ///   - address: The URL.
    ///   - text: The same, as a person wrote it.
    /// - Returns: `nil` for other servers; where nobody may be asked, for those that nothing is kept of.
    /// - Throws: What keeps the server from being asked.
    func cloud(at address: WebAddress, in text: String) async throws -> Location? {
        guard address.kind == .webdav, let user = address.user, let files = address.filesOfUser,
            let path = address.path.relative(to: files),
            let url = URL(string: address.root.absoluteString.dropLast() + files.percentEncoded + "/")
        else { return nil }
        let prefix = address.prefix + WebAddress.escaped(files.string)
        if let storage = opened[prefix] { return Location(text: text, storage: storage, prefix: prefix, path: path) }
        if plainServers.contains(prefix) { return nil }
        var configuration = ProviderConfiguration(type: RemoteKind.nextcloud.rawValue, baseURL: url, user: user)
        do {
            if cacheUse.isOffline {
                let identifier = files.parent.lastName == "files" ? files.lastName : user
                guard try await isKept(&configuration, of: identifier) else { throw RemoteKind.OtherServer() }
            }
            let storage = try await storage(configuration, at: address, prefix: prefix, in: text)
            return Location(text: text, storage: storage, prefix: prefix, path: path)
        } catch is RemoteKind.OtherServer {
            plainServers.insert(prefix)
            return nil
        }
    }

    /// Returns whether anything is kept of a cloud that is not to be asked what it is.
    ///
    /// - Parameters:
    ///   - configuration: Where it is; gets what would have been asked for.
    ///   - identifier: Whose files.
    /// - Returns: Whether an earlier run has found that there is one.
    /// - Throws: What keeps the cache from being opened.
    private func isKept(_ configuration: inout ProviderConfiguration, of identifier: String) async throws -> Bool {
        guard cache.exists, !cache.isOff else { return false }
        configuration.options["userID"] = identifier
        configuration.options["server"] = String(
            decoding: try JSONEncoder().encode(NextcloudServerFacts()),
            as: UTF8.self
        )
        let provider = try await RemoteKind.open(
            configuration,
            credentials: MemoryCredentialStore(),
            environment: providerEnvironment,
            uploads: uploads
        )
        let account = configuration.cacheAccount(of: provider, remote: nil)
        return try await cache.store().accounts().contains(account)
    }
}
