import FerryCache
import FerryCore
import Foundation
import Logging

extension Storages {
    /// Forgets what is kept of items, and of all below them.
    ///
    /// - Parameter locations: Items that have changed, or may have.
    func forget(_ locations: [Location]) async {
        guard cache.exists else { return }
        for location in locations {
            guard let account = account(of: location) else { continue }
            let kept = await cache.storeToForget().account(account)
            // Also when somebody has interrupted the command.
            await uncancelled { [path = location.path] in
                await kept.removeFolder(path)
                var folder = path
                // Each folder above has another date, and another tag where it has one; new ones may be among them.
                while !folder.isRoot, !folder.beginsWithIdentifier {
                    folder = folder.parent
                    await kept.removeItem(folder, kinds: [.listing, .attributes])
                }
            }
        }
    }

    /// Forgets all that is kept of a remote.
    ///
    /// - Parameter remote: The remote; that nothing is kept of it any more, or that its login is gone, is no matter.
    func forgetAll(of remote: Remote) async {
        guard cache.exists else { return }
        do {
            let account = remote.configuration.cacheAccount(of: try await unasked(remote), remote: remote.name)
            await cache.storeToForget().account(account).removeAll()
        } catch {
            providerEnvironment.logger.debug("nothing could be forgotten", metadata: ["error": "\(error)"])
        }
    }

    /// Returns what accounts are called: by the remotes that use them.
    ///
    /// - Returns: The beginning of their locations, by account.
    /// - Throws: The error that keeps the remotes from being read.
    func cachedPlaces() async throws -> [CacheAccount: String] {
        var names: [CacheAccount: String] = [:]
        // In the order of their names, of which the first counts.
        for case .success(let remote) in try await remotes.all() {
            do {
                let account = remote.configuration.cacheAccount(of: try await unasked(remote), remote: remote.name)
                if names[account] == nil { names[account] = remote.name + ":" }
            } catch {
                providerEnvironment.logger.debug("a remote can't be used", metadata: ["remote": "\(remote.name)"])
            }
        }
        return names
    }
}

extension ProviderConfiguration {
    /// The account whose files are kept; certificates and client identifiers count, since they decide what is shown.
    ///
    /// - Parameters:
    ///   - provider: The provider that was made of this configuration.
    ///   - remote: The remote's name, which tells those apart who have no name there; `nil` of a URL, where nobody logs in
    ///     without one.
    /// - Returns: The account.
    func cacheAccount(of provider: any FileProviderBasic, remote: String?) -> CacheAccount {
        let account = CacheAccount(provider)
        let deciding = kind?.options.filter(\.decidesAccount).map(\.name) ?? []
        let proofs = deciding.compactMap { options[$0] }
        let name = account.user.isEmpty ? remote.map { $0 + ":" } ?? "" : account.user
        guard !proofs.isEmpty || name != account.user else { return account }
        let user = ([name] + proofs).joined(separator: " ")
        return CacheAccount(type: account.type, user: user, baseURL: account.baseURL)
    }
}

extension CacheAccount {
    /// The account's name for people who have no remote of it.
    var place: String { user.isEmpty ? baseURL : "\(baseURL) (\(user))" }
}
