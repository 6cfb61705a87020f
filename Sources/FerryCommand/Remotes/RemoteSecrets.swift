import FerryCore
import Foundation

/// Where the secrets of remotes are: apart from their configuration.
struct RemoteSecrets: Sendable {
    /// The store itself.
    let store: any CredentialStore

    /// Where it is, in words.
    let place: String

    /// Chooses the store.
    ///
    /// - Parameter folders: Where a person's programs keep their things.
    init(folders: UserFolders) {
        let path = folders.data + "/credentials.json"
        store = FileCredentialStore(url: URL(filePath: path, directoryHint: .notDirectory))
        place = path
    }

    /// Forgets a remote's secret, unless another remote of the same account needs it.
    ///
    /// - Parameters:
    ///   - configuration: The remote that is gone.
    ///   - others: The remotes that stay.
    /// - Throws: What keeps the store from being written.
    func forget(_ configuration: ProviderConfiguration, unlessUsedBy others: [Remote]) async throws {
        guard !others.contains(where: { $0.configuration.account == configuration.account }) else { return }
        guard try await store.credential(for: configuration.account) != nil else { return }
        try await store.setCredential(nil, for: configuration.account)
    }
}
